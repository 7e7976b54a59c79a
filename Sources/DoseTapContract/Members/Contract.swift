public import SDBus

/// Names of the D-Bus contract. Evolution is by addition only.
public enum Contract {
    /// Well-known name, owned on the session bus.
    public static let name = "org.dosetap.DoseTap1"
    /// The one object.
    public static let path = ObjectPath("/org/dosetap/DoseTap1")
    /// Grows by one with every member that is added: 13 is that of 66 members, and none is taken away.
    package static let version = UInt32(interfaces.reduce(0) { $0 + $1.members.count } - 53)
    /// Longest string a caller may send, in bytes.
    public static let stringBytes = 65_536
    /// Longest array a caller may send.
    public static let arrayElements = 1_000

    /// The interfaces of the object.
    public enum InterfaceName {
        /// Tonight.
        public static let session = "org.dosetap.DoseTap1.Session"
        /// What is written down beside the doses.
        public static let diary = "org.dosetap.DoseTap1.Diary"
        /// Medicines beside the doses.
        public static let medications = "org.dosetap.DoseTap1.Medications"
        /// What is planned, what was told, and what became of it.
        public static let reminders = "org.dosetap.DoseTap1.Reminders"
        /// What there is of the medicines of the night.
        public static let inventory = "org.dosetap.DoseTap1.Inventory"
        /// Sleep from outside.
        public static let sleep = "org.dosetap.DoseTap1.Sleep"
        /// Questions to the record.
        public static let lab = "org.dosetap.DoseTap1.Lab"
        /// Looking back.
        public static let history = "org.dosetap.DoseTap1.History"
        /// Check and repair the data.
        public static let data = "org.dosetap.DoseTap1.Data"
        /// The service itself.
        public static let service = "org.dosetap.DoseTap1.Service"
    }

    /// The interfaces with their members, in the order in which the documents have them.
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
