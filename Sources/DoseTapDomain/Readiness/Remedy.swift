/// The remedy for a finding, as a code; the raw value is the wire word. Each surface has words of its own for the code.
public enum Remedy: String, Hashable, Sendable, CaseIterable {
    case openSession = "open_session"
    case repairBus = "repair_bus"
    case installService = "install_service"
    case startService = "start_service"
    case restartService = "restart_service"
    case readStatus = "read_status"
    case repairStore = "repair_store"
    case makeWritable = "make_writable"
    case unlockKeyring = "unlock_keyring"
    case checkSettings = "check_settings"
    /// Enable the plugin that the finding names.
    case enablePlugin = "enable_plugin"
    case inspectPlugin = "inspect_plugin"
    case freeSpace = "free_space"
    case backUp = "back_up"
    case testNotification = "test_notification"
    case startNotificationServer = "start_notification_server"
    case restartNotificationServer = "restart_notification_server"
    case endDoNotDisturb = "end_do_not_disturb"
    case testSound = "test_sound"
    case startSoundServer = "start_sound_server"
    case allowSoundCard = "allow_sound_card"
    case protectPlayer = "protect_player"
    case replacePlayer = "replace_player"
    case installPlayer = "install_player"
    case unmute
    case raiseVolume = "raise_volume"
    /// Prevent sleep by charger, lid and the settings of the machine, which cannot be kept awake otherwise.
    case preventSleep = "prevent_sleep"
    /// The person stays awake: the machine can neither be kept awake nor be woken.
    case stayAwake = "stay_awake"
    case plugIn = "plug_in"
    case leaveLidOpen = "leave_lid_open"
    case compareClock = "compare_clock"
    case synchroniseClock = "synchronise_clock"
    case linger
}
