package dev.fairlead.bootstrap;

import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.bootstrap.cli.Help;
import dev.fairlead.bootstrap.cli.LivenessProbe;
import dev.fairlead.bootstrap.cli.Terminal;
import dev.fairlead.bootstrap.cli.Verbs;
import dev.fairlead.bootstrap.options.Mode;
import dev.fairlead.bootstrap.options.ServeCommandLine;
import dev.fairlead.bootstrap.options.ServeOptions;
import dev.fairlead.bootstrap.options.UsageException;
import dev.fairlead.bootstrap.options.Version;
import dev.fairlead.bootstrap.serving.Driver;
import java.io.Console;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Runs the process: a driver that serves, or one of the verbs. */
public final class Main {
    private static final int UNUSABLE = 1;

    private Main() {}

    public static void main(String[] arguments) {
        int code = run(List.of(arguments), System.getenv());
        System.out.flush();
        System.exit(code);
    }

    private static int run(List<String> arguments, Map<String, String> environment) {
        if (arguments.isEmpty()) {
            System.err.print(Help.TEXT);
            return UNUSABLE;
        }
        try {
            return switch (arguments.getFirst()) {
                case "--help", "-h", "help" -> print(Help.TEXT);
                case "--version", "version" -> print("fairlead " + Version.NUMBER + "\n");
                case "controller" -> serve(Optional.of(Set.of(Mode.CONTROLLER)), rest(arguments), environment);
                case "node" -> serve(Optional.of(Set.of(Mode.NODE)), rest(arguments), environment);
                case "all" -> serve(Optional.of(Mode.ALL), rest(arguments), environment);
                case "liveness-probe" -> LivenessProbe.run(rest(arguments), environment, System.err);
                case String first when first.startsWith("--") -> serve(Optional.empty(), arguments, environment);
                default -> Verbs.run(arguments, environment, terminal(environment));
            };
        } catch (UsageException e) {
            System.err.println("fairlead: " + e.getMessage() + "; see fairlead --help");
        } catch (InvalidConfigException e) {
            e.problems().forEach(problem -> System.err.println("fairlead: " + problem));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return UNUSABLE;
    }

    private static int serve(Optional<Set<Mode>> verb, List<String> options, Map<String, String> environment)
            throws InterruptedException {
        if (options.contains("--help")) {
            return print(Help.TEXT);
        }
        ServeOptions parsed = ServeCommandLine.parse(verb, options, environment);
        return Driver.run(parsed, environment, terminal(environment).color());
    }

    private static int print(String text) {
        System.out.print(text);
        return 0;
    }

    private static List<String> rest(List<String> arguments) {
        return arguments.subList(1, arguments.size());
    }

    /**
     * Returns the terminal; it is interactive only if standard input is one too, which is accurate enough for colours
     * and tables.
     */
    private static Terminal terminal(Map<String, String> environment) {
        boolean interactive = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
        boolean color = interactive && environment.getOrDefault("NO_COLOR", "").isEmpty();
        return new Terminal(System.out, System.err, interactive, color);
    }
}
