package dev.fairlead.simulator;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.RealStorage;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import dev.fairlead.simulator.real.RealPool;
import dev.fairlead.simulator.shell.SshFace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The program: it runs a box, or gives an order to one that runs. */
public final class SimulatorMain {
    private static final String USAGE = """
            up PROFILE --folder FOLDER [--port PORT] [--redirect] [--loopback-is-safe] [--rate-limit] [--pool STATE]
            upgrade PROFILE | restart | fault JSON | call METHOD JSON | mend | calls | check | dump | down   --folder FOLDER
            """;

    private SimulatorMain() {}

    /** Runs it. */
    public static void main(String[] arguments) throws IOException {
        System.exit(run(List.of(arguments), System.out, System.err));
    }

    static int run(List<String> arguments, PrintStream out, PrintStream errors) throws IOException {
        List<String> words = new ArrayList<>(arguments);
        Optional<String> folder = option(words, "--folder");
        String port = option(words, "--port").orElse("0");
        RealStorage real;
        try {
            real = option(words, "--pool")
                    .<RealStorage>map(state -> RealPool.of(Path.of(state)))
                    .orElse(RealStorage.NONE);
        } catch (IllegalArgumentException e) {
            errors.println("--pool: " + e.getMessage());
            return 2;
        }
        if (words.isEmpty() || folder.isEmpty() || words.contains("--pool") || !port.matches("[0-9]{1,5}")) {
            errors.print(USAGE);
            return 2;
        }
        Path path = Path.of(folder.get());
        if (words.getFirst().equals("up")) return up(words, path, Integer.parseInt(port), real, out, errors);
        JsonObject order = JsonTools.object("command", words.getFirst());
        if (words.getFirst().equals("upgrade") && words.size() > 1) order.addProperty("profile", words.get(1));
        if (words.getFirst().equals("fault") && words.size() > 1)
            order.add("fault", JsonParser.parseString(words.get(1)));
        if (words.getFirst().equals("call") && words.size() > 2) {
            order.addProperty("method", words.get(1));
            order.add("params", JsonParser.parseString(words.get(2)));
        }
        String answer = Control.ask(path, order);
        out.println(answer);
        return answer.startsWith("{\"error\"") ? 1 : 0;
    }

    private static int up(
            List<String> words, Path folder, int port, RealStorage real, PrintStream out, PrintStream errors)
            throws IOException {
        Optional<Profile> profile = words.size() > 1 ? Profile.named(words.get(1)) : Optional.empty();
        if (profile.isEmpty()) {
            errors.print(USAGE);
            return 2;
        }
        Path former = folder.resolve("port");
        int chosen = port == 0 ? former(former) : port;
        Path formerSsh = folder.resolve("ssh-port");
        SimulatorSettings settings = SimulatorSettings.standard().withPort(chosen);
        if (words.contains("--redirect")) settings = settings.redirecting();
        if (words.contains("--loopback-is-safe")) settings = settings.trustingLoopback();
        if (words.contains("--rate-limit")) settings = settings.limited();
        try (Simulator simulator = Simulator.start(profile.get(), folder, settings, real);
                SshFace ssh = simulator.openSsh(former(formerSsh))) {
            Files.writeString(former, Integer.toString(simulator.port()));
            Files.writeString(formerSsh, Integer.toString(ssh.port()));
            out.println(simulator.url() + " " + simulator.rootKey());
            out.flush();
            new Control(simulator, folder).serve();
        }
        return 0;
    }

    private static int former(Path file) throws IOException {
        return Files.exists(file) ? Integer.parseInt(Files.readString(file)) : 0;
    }

    private static Optional<String> option(List<String> words, String name) {
        int at = words.indexOf(name);
        if (at < 0 || at + 1 >= words.size()) return Optional.empty();
        words.remove(at);
        return Optional.of(words.remove(at));
    }
}
