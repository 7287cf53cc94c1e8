package dev.fairlead.simulator;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.failure.FaultScript;
import dev.fairlead.simulator.profile.Profile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The socket in a box's folder by which its program is told what to do: a line of JSON each way. */
final class Control {
    private final Simulator simulator;
    private final BoxChange change;
    private final Path socket;

    Control(Simulator simulator, Path folder) {
        this.simulator = simulator;
        this.change = new BoxChange(simulator);
        this.socket = socket(folder);
    }

    private static Path socket(Path folder) {
        return folder.toAbsolutePath().resolve("control");
    }

    /** Serves until it is told "down". */
    void serve() throws IOException {
        Files.deleteIfExists(socket);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            boolean up = true;
            while (up) {
                try (SocketChannel client = server.accept()) {
                    JsonObject order = JsonParser.parseString(line(client)).getAsJsonObject();
                    up = !JsonTools.text(order, "command").equals("down");
                    write(client, JsonTools.WRITER.toJson(answer(order)));
                }
            }
        } finally {
            Files.deleteIfExists(socket);
        }
    }

    private JsonObject answer(JsonObject order) {
        try {
            return switch (JsonTools.text(order, "command")) {
                case "upgrade" -> upgraded(JsonTools.text(order, "profile"));
                case "restart" -> upgraded(simulator.profile().title());
                case "fault" -> faulty(JsonTools.child(order, "fault"));
                case "mend" -> {
                    simulator.clearFaults();
                    yield JsonTools.object("ok", true);
                }
                case "dump" -> simulator.dump();
                case "check" -> JsonTools.object("broken", simulator.broken());
                case "calls" -> calls();
                case "call" ->
                    JsonTools.object(
                            "result", simulator.call(JsonTools.text(order, "method"), order.getAsJsonArray("params")));
                case "down" -> JsonTools.object("ok", true);
                default -> JsonTools.object("error", "no such command");
            };
        } catch (IllegalArgumentException e) {
            return JsonTools.object("error", String.valueOf(e.getMessage()));
        } catch (ApiFailure e) {
            return JsonTools.object("error", e.reason());
        }
    }

    private JsonObject upgraded(String title) {
        simulator.upgrade(Profile.named(title)
                .orElseThrow(() -> new IllegalArgumentException("profile: '" + title + "' is none")));
        return JsonTools.object("ok", true, "version", simulator.profile().version());
    }

    private JsonObject faulty(JsonObject script) {
        if (!change.make(script)) simulator.fault(FaultScript.read(script));
        return JsonTools.object("ok", true);
    }

    private JsonObject calls() {
        JsonArray calls = new JsonArray();
        for (CallLog.Entry entry : simulator.calls())
            calls.add(JsonTools.object(
                    "method",
                    entry.method(),
                    "user",
                    entry.user(),
                    "params",
                    entry.params(),
                    "outcome",
                    entry.outcome()));
        return JsonTools.object("calls", calls);
    }

    /** Gives an order to the program of a folder, and returns its answer. */
    static String ask(Path folder, JsonObject order) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket(folder)))) {
            write(channel, JsonTools.WRITER.toJson(order));
            return line(channel);
        }
    }

    private static String line(SocketChannel channel) throws IOException {
        String line = new BufferedReader(
                        new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8))
                .readLine();
        return line == null ? "{}" : line;
    }

    private static void write(SocketChannel channel, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) channel.write(bytes);
    }
}
