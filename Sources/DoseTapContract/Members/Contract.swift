public import SDBus

/// Names of the D-Bus contract. Evolution is by addition only.
public enum Contract {
    /// Well-known name, owned on the session bus.
    public static let name = "org.dosetap.DoseTap1"
    public static let path = ObjectPath("/org/dosetap/DoseTap1")
    /// The number grows by one with every added member: 66 members make 13. No member is ever removed.
    package static let version = UInt32(interfaces.reduce(0) { $0 + $1.members.count } - 53)
    /// Longest string a caller may send, in bytes.
    public static let stringBytes = 65_536
    /// Longest array a caller may send.
    public static let arrayElements = 1_000

    /// The interfaces of the object.
    public enum InterfaceName {
        /// The night in progress.
        public static let session = "org.dosetap.DoseTap1.Session"
        /// Entries beside the doses: sleep events, questionnaires and corrections.
        public static let diary = "org.dosetap.DoseTap1.Diary"
        /// Medicines beside the doses.
        public static let medications = "org.dosetap.DoseTap1.Medications"
        /// Plan, state and acknowledgement of reminders.
        public static let reminders = "org.dosetap.DoseTap1.Reminders"
        /// The stock of the night's medicines.
        public static let inventory = "org.dosetap.DoseTap1.Inventory"
        /// Sleep told by devices, other programs and the person.
        public static let sleep = "org.dosetap.DoseTap1.Sleep"
        /// Questions to the record.
        public static let lab = "org.dosetap.DoseTap1.Lab"
        /// Past nights.
        public static let history = "org.dosetap.DoseTap1.History"
        /// Care of the record: checks, repair, backups, import and export.
        public static let data = "org.dosetap.DoseTap1.Data"
        /// The service itself.
        public static let service = "org.dosetap.DoseTap1.Service"
    }

    /// The interfaces with their members, in the order of the documents.
    package static var interfaces: [Interface] {
        [
            Session.interface, Diary.interface, Medications.interface, Inventory.interface, Sleep.interface,
            Lab.interface, History.interface,
            Reminders.interface, Data.interface, Service.interface,
        ]
    }

    /// Prefix of the error names.
    public static let errorPrefix = "org.dosetap.DoseTap1.Error."
}
