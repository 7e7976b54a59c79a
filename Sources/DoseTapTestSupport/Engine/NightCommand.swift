public import DoseTapDomain

/// A command to the engine, where ``Command`` is a program that tests run.
public typealias NightCommand = DoseTapDomain.Command

/// A program that tests run, where ``DoseTapDomain/Command`` is in sight too.
public typealias TestProgram = DoseTapTestSupport.Command
