package dev.fairlead.bootstrap.cli;

import dev.fairlead.bootstrap.driver.DriverMatrix;
import dev.fairlead.bootstrap.driver.DriverTypes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the table of driver types. */
@Command(
        name = "drivers",
        description = "Lists every driver type, whether it is built, and what it is made of.",
        mixinStandardHelpOptions = true)
final class DriversCommand implements Runnable {
    private final Terminal terminal;

    @Option(names = "--markdown", description = "As the README shows it.")
    private boolean markdown;

    DriversCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        DriverTypes types = DriverTypes.all();
        terminal.out().print(markdown ? DriverMatrix.markdown(types) : DriverMatrix.plain(types));
    }
}
