package dev.fairlead.linstor;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.fairlead.linstor.check.LinstorCheck;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The program: it runs a LINSTOR, gives an order to one that runs, or holds one to the recorded answers. */
public final class LinstorMain {
    private static final String USAGE = """
            up --state DIR [--port PORT] [--standby PORT] [--pace FACTOR]
            call METHOD PATH [JSON] --state DIR
            order JSON --state DIR
            check URL
            """;

    private LinstorMain() {}

    /** Runs it. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.exit(run(List.of(arguments), System.out, System.err));
    }

    static int run(List<String> arguments, PrintStream out, PrintStream errors)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(arguments);
        Optional<String> state = option(words, "--state");
        String port = option(words, "--port").orElse("3370");
        String standby = option(words, "--standby").orElse("0");
        String pace = option(words, "--pace").orElse("1");
        String command = words.isEmpty() ? "" : words.getFirst();
        if (command.equals("check") && words.size() == 2) return check(words.get(1), out, errors);
        boolean numbers = (port + standby).matches("[0-9]{1,10}") && pace.matches("[0-9]{1,3}(\\.[0-9]{1,4})?");
        if (state.isEmpty() || !numbers) {
            errors.print(USAGE);
            return 2;
        }
        Path folder = Path.of(state.get());
        if (command.equals("up")) {
            return up(folder, Integer.parseInt(port), Integer.parseInt(standby), Double.parseDouble(pace), out);
        }
        try {
            if (command.equals("order") && words.size() == 2) {
                JsonObject order = JsonParser.parseString(words.get(1)).getAsJsonObject();
                return show(send(folder, "POST", "/simulator", order.toString()), out);
            }
        } catch (JsonParseException | IllegalStateException _) {
            errors.println("order: no object of JSON (expected: such as {\"order\": \"hang\", \"node\": \"node-2\"})");
            return 2;
        }
        if (command.equals("call") && words.size() >= 3) {
            return show(send(folder, words.get(1), words.get(2), words.size() > 3 ? words.get(3) : ""), out);
        }
        errors.print(USAGE);
        return 2;
    }

    private static int up(Path folder, int port, int standby, double pace, PrintStream out)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        try (LinstorSimulator simulator = LinstorSimulator.start(folder, port, standby, pace)) {
            Files.writeString(
                    folder.resolve("where"),
                    simulator.url() + (standby == 0 ? "" : " http://127.0.0.1:" + standby) + "\n");
            out.println(simulator.url());
            out.flush();
            simulator.await();
        }
        return 0;
    }

    /** Prints a table and returns 0 if all is the same, 1 if not, 2 for a wrong address, 3 if nobody answers there. */
    private static int check(String server, PrintStream out, PrintStream errors) throws InterruptedException {
        if (!server.matches("https?://[A-Za-z0-9.:\\[\\]-]+/?")) {
            errors.println("check: '" + server + "' is no address (expected: such as http://127.0.0.1:3370)");
            return 2;
        }
        try {
            List<LinstorCheck.Row> rows = new LinstorCheck(URI.create(server.replaceAll("/$", ""))).rows();
            rows.forEach(out::println);
            long different =
                    rows.stream().filter(row -> !row.differences().isEmpty()).count();
            out.printf("%d of %d answers are as recorded%n", rows.size() - different, rows.size());
            return different == 0 ? 0 : 1;
        } catch (IOException | IllegalArgumentException e) {
            errors.println("check: " + server + " does not answer: " + e);
            return 3;
        }
    }

    private static int show(HttpResponse<String> answer, PrintStream out) {
        out.println(answer.statusCode() + " " + answer.body());
        return answer.statusCode() < 400 ? 0 : 1;
    }

    /** Asks the controller that serves: the first one of those that the folder names and that answers. */
    private static HttpResponse<String> send(Path folder, String method, String path, String body)
            throws IOException, InterruptedException {
        HttpClient http =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
        IOException last = new IOException("it is down");
        for (String server : Files.readString(folder.resolve("where")).strip().split(" ", -1)) {
            try {
                HttpRequest request = HttpRequest.newBuilder(URI.create(server + path))
                        .timeout(Duration.ofSeconds(60))
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .header("Content-Type", "application/json")
                        .build();
                return http.send(request, HttpResponse.BodyHandlers.ofString());
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    private static Optional<String> option(List<String> words, String name) {
        int at = words.indexOf(name);
        if (at < 0 || at + 1 >= words.size()) return Optional.empty();
        words.remove(at);
        return Optional.of(words.remove(at));
    }
}
