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

/** What a driver loads that asks nothing of Kubernetes: every node pays for it. */
class LoadedClassesTest {
    private static final List<String> OF_KUBERNETES = List.of("okhttp3.", "okio.", "kotlin.", "com.google.gson.");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Mode.class)
    void neither_the_client_nor_its_libraries_are_loaded_where_nothing_asks_for_them(Mode mode) throws Exception {
        Set<String> loaded = loadedBy(mode.name(), "");

        assertThat(loaded).contains("dev.fairlead.bootstrap.serving.Serving").hasSizeGreaterThan(300);
        assertThat(loaded.stream().filter(LoadedClassesTest::isOfKubernetes)).isEmpty();
    }

    /** So that the test above would notice. */
    @Test
    void they_are_where_something_does() throws Exception {
        Set<String> loaded = loadedBy("CONTROLLER", "--leader-election");

        assertThat(loaded).contains("okhttp3.OkHttpClient", "dev.fairlead.adapter.k8s.election.Candidate");
    }

    @Test
    void a_node_that_may_ask_for_sources_loads_the_libraries_when_it_does() throws Exception {
        Set<String> loaded = loadedBy("CONTROLLER,NODE", "--kubernetes-sources");

        assertThat(loaded).contains("dev.fairlead.bootstrap.serving.LaterWhereabouts");
        assertThat(loaded.stream().filter(name -> name.startsWith("okhttp3."))).isEmpty();
    }

    /** What Dagger makes to build the rest, later and perhaps never, has no part in it. */
    private static boolean isOfKubernetes(String name) {
        boolean client = name.startsWith("dev.fairlead.adapter.k8s.")
                && !name.contains("Factory")
                && !name.endsWith("KubernetesModule");
        return client || OF_KUBERNETES.stream().anyMatch(name::startsWith);
    }

    /** Builds the graph of a mode, starts it and drains it, all of it loaded anew. */
    private Set<String> loadedBy(String modes, String option) throws Exception {
        Files.createDirectories(folder.resolve("connections"));
        Path file = Files.writeString(
                folder.resolve("driver.yaml"),
                "driver: proxy\nproxy: {configFolder: " + folder.resolve("connections") + "}\n");
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
