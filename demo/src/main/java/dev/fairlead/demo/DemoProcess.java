package dev.fairlead.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs the real driver as a process of its own, through the launcher if that started this one. */
final class DemoProcess implements DemoDriver {
    /**
     * The longest wait for the end: draining takes moments, but a driver that trains the start-up cache writes it when
     * it ends.
     */
    private static final long STOP_SECONDS = 60;

    /** JVM options for the driver alone; the launcher trains the start-up cache with them. */
    private static final String DRIVER_OPTIONS = "FAIRLEAD_DRIVER_JAVA_OPTS";

    private final Process process;
    private final int port;

    private DemoProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static DemoProcess start(DemoFolder stage, String node, Map<String, String> environment) throws IOException {
        List<String> command = new ArrayList<>(starter(environment));
        int port = freePort();
        command.addAll(arguments(stage));
        command.add("--http-endpoint=127.0.0.1:" + port);
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(stage.log().toFile());
        builder.environment().put("CSI_NODE_ID", node);
        builder.environment().put("FAIRLEAD_BUILD", "never");
        Optional.ofNullable(environment.get(DRIVER_OPTIONS))
                .ifPresent(options -> builder.environment().put("FAIRLEAD_JAVA_OPTS", options));
        Process process = builder.start();
        process.getOutputStream().close();
        return new DemoProcess(process, port);
    }

    private static int freePort() throws IOException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /** Returns a command line of democratic-csi's, and one more option by which this node registers itself. */
    static List<String> arguments(DemoFolder stage) {
        return List.of(
                "--csi-version=1.9.0",
                "--csi-name=" + DemoFolder.PREFIX,
                "--driver-config-file=" + stage.mainFile(),
                "--log-level=debug",
                "--csi-mode=controller",
                "--csi-mode=node",
                "--server-socket=" + stage.socket(),
                "--registration-dir=" + stage.registry());
    }

    private static List<String> starter(Map<String, String> environment) {
        Optional<String> launcher = Optional.ofNullable(environment.get("FAIRLEAD_LAUNCHER"));
        return launcher.map(List::of)
                .orElseGet(() -> List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.fairlead.bootstrap.Main"));
    }

    @Override
    public boolean alive() {
        return process.isAlive();
    }

    @Override
    public String describe() {
        return "process " + process.pid();
    }

    @Override
    public String get(String path) throws IOException {
        try (var http = new Socket(InetAddress.getLoopbackAddress(), port)) {
            http.getOutputStream().write(("GET " + path + " HTTP/1.0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(http.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the driver still runs " + STOP_SECONDS + " s after SIGTERM");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
