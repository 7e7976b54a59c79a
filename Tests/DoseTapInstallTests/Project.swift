enum Project {
    /// The path of a file of the repository.
    static func path(_ name: String, file: String = #filePath) -> String {
        file.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/" + name
    }
}
