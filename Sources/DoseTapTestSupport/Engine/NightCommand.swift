public import DoseTapDomain

/// A command to the engine, where ``Command`` is a program that tests run.
public typealias NightCommand = DoseTapDomain.Command
