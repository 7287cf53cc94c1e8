package dev.fairlead.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A real etcd and a real kube-apiserver on loopback, without nodes; it can be frozen and thawed. */
public final class LoopbackApi implements AutoCloseable {
    /** A folder with the programs; otherwise those that {@code lab/kube} has built are taken. */
    private static final String PROGRAMS = "FAIRLEAD_KUBE_PROGRAMS";

    private static final Duration START = Duration.ofMinutes(2);

    private final Path folder;
    private final Path kubectl;
    private final int port = freePort();
    private final List<Process> processes = new ArrayList<>();
    private @Nullable Process server;

    private LoopbackApi(Path folder, Path kubectl) {
        this.folder = folder;
        this.kubectl = kubectl;
    }

    /** Where a program is; empty where it was never built. */
    public static Optional<Path> program(String name) {
        Optional<Path> named = Optional.ofNullable(System.getenv(PROGRAMS)).map(value -> Path.of(value, name));
        return named.or(() -> built(name)).filter(Files::isExecutable);
    }

    private static Optional<Path> built(String name) {
        Path cache = Optional.ofNullable(System.getenv("FAIRLEAD_CACHE"))
                .map(Path::of)
                .orElseGet(() -> Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                        .map(Path::of)
                        .orElse(Path.of(System.getProperty("user.home"), ".cache"))
                        .resolve("fairlead"));
        if (!Files.isDirectory(cache.resolve("kube"))) {
            return Optional.empty();
        }
        try (Stream<Path> groups = Files.list(cache.resolve("kube"))) {
            return groups.map(group -> group.resolve(name))
                    .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                    .max(Comparator.comparingLong(path -> path.toFile().lastModified()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param more further options of the API server */
    public static LoopbackApi start(Path folder, String... more)
            throws IOException, InterruptedException, GeneralSecurityException {
        LoopbackApi api = new LoopbackApi(
                Files.createDirectories(folder), program("kubectl").orElseThrow());
        api.start(more);
        return api;
    }

    /** Starts those of the controllers that look after volumes and claims, and lets them be quick. */
    public void startVolumeControllers() throws IOException {
        startUsualVolumeControllers("--kube-api-qps=200", "--kube-api-burst=400", "--pvclaimbinder-sync-period=1s");
    }

    /** Starts the same controllers as slow as they usually are: 20 calls a second, and a look at all each 15 s. */
    public void startUsualVolumeControllers(String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of(
                "--kubeconfig=" + kubeconfigOf("admin"),
                "--leader-elect=false",
                "--secure-port=0",
                "--controllers=persistentvolume-binder-controller,persistentvolume-protection-controller,"
                        + "persistentvolumeclaim-protection-controller"));
        options.addAll(List.of(more));
        run("kube-controller-manager", options.toArray(String[]::new));
    }

    /** The server's own address. */
    public URI address() {
        return URI.create("https://127.0.0.1:" + port);
    }

    /** The certificate that the server signs for itself. */
    public Path certificate() {
        return folder.resolve("certs/apiserver.crt");
    }

    private void start(String... more) throws IOException, InterruptedException, GeneralSecurityException {
        String etcd = "http://127.0.0.1:" + freePort();
        run(
                "etcd",
                "--data-dir=" + folder.resolve("data"),
                "--unsafe-no-fsync",
                "--log-level=warn",
                "--listen-client-urls=" + etcd,
                "--advertise-client-urls=" + etcd,
                "--listen-peer-urls=http://127.0.0.1:" + freePort());
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair keys = generator.generateKeyPair();
        Path tokens = Files.writeString(
                folder.resolve("tokens.csv"), "admin-token,admin,1,system:masters\ndriver-token,driver,2,drivers\n");
        List<String> options = new ArrayList<>(List.of(
                "--etcd-servers=" + etcd,
                "--cert-dir=" + folder.resolve("certs"),
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--secure-port=" + port,
                "--service-cluster-ip-range=10.96.0.0/16",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file="
                        + pem("sa.pub", "PUBLIC KEY", keys.getPublic().getEncoded()),
                "--service-account-signing-key-file="
                        + pem("sa.key", "PRIVATE KEY", keys.getPrivate().getEncoded()),
                "--token-auth-file=" + tokens,
                "--authorization-mode=RBAC"));
        options.addAll(List.of(more));
        server = run("kube-apiserver", options.toArray(String[]::new));
        kubeconfig("admin", "admin-token");
        kubeconfig("driver", "driver-token");
        long giveUp = System.nanoTime() + START.toNanos();
        while (!ready()) {
            if (System.nanoTime() > giveUp || processes.stream().anyMatch(process -> !process.isAlive())) {
                close();
                throw new IOException("kube-apiserver does not start, see " + folder);
            }
            TimeUnit.MILLISECONDS.sleep(300);
        }
    }

    private boolean ready() throws IOException, InterruptedException {
        return Files.exists(folder.resolve("certs/apiserver.crt"))
                && ended("get", "--raw", "/readyz").code() == 0;
    }

    private Process run(String name, String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of(program(name).orElseThrow().toString()));
        words.addAll(List.of(options));
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
        processes.add(process);
        return process;
    }

    private Path pem(String name, String kind, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(
                folder.resolve(name), "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    /** The access of whoever has the token; the server signs for itself, and its certificate is the root. */
    public Path kubeconfig(String user, String token) throws IOException {
        return Files.writeString(kubeconfigOf(user), """
                apiVersion: v1
                kind: Config
                clusters: [{name: lab, cluster: {server: "https://127.0.0.1:%d", certificate-authority: certs/apiserver.crt}}]
                users: [{name: me, user: {token: %s}}]
                contexts: [{name: lab, context: {cluster: lab, user: me}}]
                current-context: lab
                """.formatted(port, token));
    }

    private Path kubeconfigOf(String user) {
        return folder.resolve(user + ".kubeconfig");
    }

    /** The access of a user who has no rights but those that a test gives to {@code driver}. */
    public Path driverKubeconfig() {
        return kubeconfigOf("driver");
    }

    public Path adminKubeconfig() {
        return kubeconfigOf("admin");
    }

    /** As the administrator; answers the standard output. */
    public String kubectl(String... words) throws IOException, InterruptedException {
        Ended ended = ended(words);
        if (ended.code() != 0) {
            throw new IOException(String.join(" ", words) + ": " + ended.output());
        }
        return ended.output();
    }

    public void apply(String manifest) throws IOException, InterruptedException {
        kubectl(
                "apply",
                "-f",
                Files.writeString(folder.resolve("manifest.yaml"), manifest).toString());
    }

    private Ended ended(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(kubectl.toString(), "--kubeconfig=" + kubeconfigOf("admin"), "--request-timeout=20s"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }

    private record Ended(int code, String output) {}

    /** The server takes connections and answers nothing. */
    public void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    public void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        long pid = Objects.requireNonNull(server).pid();
        new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        for (Process process : processes.reversed()) {
            process.destroyForcibly();
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
