package dev.fairlead.testkit.contract.host;

/** Everything that a {@code CommandRunner} promises, on a host that has a POSIX shell. */
public interface CommandRunnerContract extends CommandWordsContract, CommandStreamsContract, CommandEndsContract {}
