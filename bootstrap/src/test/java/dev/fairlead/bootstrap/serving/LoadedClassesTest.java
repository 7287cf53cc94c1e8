package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.bootstrap.options.Mode;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver loads that asks nothing of Kubernetes, and a node that has no storage to talk to: every node pays. */
class LoadedClassesTest {
    private static final List<String> OF_KUBERNETES = List.of("okhttp3.", "okio.", "kotlin.", "com.google.gson.");

    /** The SSH library, and all that reaches a storage host or makes volumes and shares there. */
    private static final List<String> OF_STORAGE = List.of(
            "org.apache.sshd.",
            "dev.fairlead.adapter.ssh.",
            "dev.fairlead.adapter.zfs.",
            "dev.fairlead.adapter.kernel.",
            "dev.fairlead.zfs.");

    private static final String PROXY = "driver: proxy\nproxy: {configFolder: %s}\n";

    /** The file of one driver, which its nodes get as well; its host answers nobody. */
    private static final String SINGLE = """
            driver: %s
            instance_id: x
            sshConnection: {host: 127.0.0.1, port: 1, username: x, password: x, knownHosts: "%s"}
            zfs: {datasetParentName: tank/v, detachedSnapshotsDatasetParentName: tank/s}
            nfs: {shareHost: 127.0.0.1}
            smb: {shareHost: 127.0.0.1}
            iscsi: {targetPortal: "127.0.0.1:3260", shareStrategy: targetCli, \
              shareStrategyTargetCli: {basename: iqn.2003-01.org.example}}
            nvmeof: {transports: ["tcp://127.0.0.1:4420"], shareStrategy: nvmetCli, \
              shareStrategyNvmetCli: {basename: nqn.2003-01.org.example}}
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Mode.class)
    void neither_the_client_nor_its_libraries_are_loaded_where_nothing_asks_for_them(Mode mode) throws Exception {
        Set<String> loaded = loadedBy(mode.name(), PROXY, "");

        assertThat(loaded).contains("dev.fairlead.bootstrap.serving.Serving").hasSizeGreaterThan(300);
        assertThat(loaded.stream().filter(LoadedClassesTest::isOfKubernetes)).isEmpty();
    }

    /** So that the test above would notice. */
    @Test
    void they_are_where_something_does() throws Exception {
        Set<String> loaded = loadedBy("CONTROLLER", PROXY, "--leader-election");

        assertThat(loaded).contains("okhttp3.OkHttpClient", "dev.fairlead.adapter.k8s.election.Candidate");
    }

    @Test
    void a_node_that_may_ask_for_sources_loads_the_libraries_when_it_does() throws Exception {
        Set<String> loaded = loadedBy("CONTROLLER,NODE", PROXY, "--kubernetes-sources");

        assertThat(loaded).contains("dev.fairlead.bootstrap.serving.LaterWhereabouts");
        assertThat(loaded.stream().filter(name -> name.startsWith("okhttp3."))).isEmpty();
    }

    @Test
    void no_client_of_storage_is_loaded_by_a_node_of_all_connections() throws Exception {
        Set<String> loaded = loadedBy("NODE", PROXY, "");

        assertThat(loaded).contains("dev.fairlead.adapter.node.iscsi.IscsiAttacher");
        assertThat(loaded.stream().filter(LoadedClassesTest::isOfStorage)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zfs-generic-nfs",
                "zfs-generic-smb",
                "zfs-generic-iscsi",
                "zfs-generic-nvmeof",
                "zfs-local-dataset",
                "zfs-local-zvol"
            })
    void nor_by_a_node_that_got_the_file_of_its_one_driver(String type) throws Exception {
        Set<String> loaded = loadedBy("NODE", SINGLE.formatted(type, folder.resolve("known")), "");

        assertThat(loaded).contains("dev.fairlead.adapter.node.iscsi.IscsiAttacher");
        assertThat(loaded.stream().filter(LoadedClassesTest::isOfStorage)).isEmpty();
    }

    /** So that the two above would notice. */
    @Test
    void they_are_by_the_controller_of_the_same_file() throws Exception {
        Set<String> loaded = loadedBy("CONTROLLER", SINGLE.formatted("zfs-generic-iscsi", folder.resolve("known")), "");

        assertThat(loaded.stream().filter(LoadedClassesTest::isOfStorage))
                .contains(
                        "dev.fairlead.adapter.ssh.SshCommandRunner",
                        "dev.fairlead.adapter.zfs.store.ZfsVolumeStore",
                        "dev.fairlead.adapter.kernel.lio.TargetcliExporter")
                .anyMatch(name -> name.startsWith("dev.fairlead.zfs."))
                .anyMatch(name -> name.startsWith("org.apache.sshd."));
    }

    private static boolean isOfKubernetes(String name) {
        boolean client = name.startsWith("dev.fairlead.adapter.k8s.") && !isWiring(name);
        return client || OF_KUBERNETES.stream().anyMatch(name::startsWith);
    }

    /** The table of driver types asks every factory for its traits; that opens nothing. */
    private static boolean isOfStorage(String name) {
        return OF_STORAGE.stream().anyMatch(name::startsWith)
                && !isWiring(name)
                && !name.equals("dev.fairlead.adapter.zfs.host.ZfsConnections");
    }

    /** Returns whether it is a module, or what Dagger makes to build the rest, later and perhaps never. */
    private static boolean isWiring(String name) {
        return name.endsWith("Module") || name.matches(".*Module_\\w+Factory(\\$\\w+)?");
    }

    /** Builds the graph of a mode, starts it and drains it, all of it loaded anew. */
    private Set<String> loadedBy(String modes, String main, String option) throws Exception {
        Files.createDirectories(folder.resolve("connections"));
        Path file = Files.writeString(folder.resolve("driver.yaml"), main.formatted(folder.resolve("connections")));
        try (Recorder recorder = new Recorder()) {
            Class<?> fresh = recorder.loadClass(StartAndDrain.class.getName());
            assertThat(fresh).isNotSameAs(StartAndDrain.class);
            @SuppressWarnings("unchecked")
            Consumer<List<String>> start =
                    (Consumer<List<String>>) fresh.getDeclaredConstructor().newInstance();
            start.accept(List.of(
                    modes, file.toString(), folder.resolve(modes + ".sock").toString(), option));
            return new TreeSet<>(recorder.loaded);
        }
    }

    /** Loads everything but Java itself anew, and remembers it. */
    private static final class Recorder extends URLClassLoader {
        private final Set<String> loaded = ConcurrentHashMap.newKeySet();

        Recorder() {
            super(classPath(), ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            Class<?> found = super.findClass(name);
            loaded.add(name);
            return found;
        }

        private static URL[] classPath() {
            return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                    .map(Recorder::url)
                    .toArray(URL[]::new);
        }

        private static URL url(String path) {
            try {
                return Path.of(path).toUri().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(path, e);
            }
        }

        @Override
        public void close() throws IOException {
            super.close();
        }
    }
}
