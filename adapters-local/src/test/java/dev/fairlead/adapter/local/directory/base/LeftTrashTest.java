package dev.fairlead.adapter.local.directory.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.DirectoryFixture;
import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.port.out.store.Removals.Pending;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process has deleted and not removed when it ended; the next one removes it without a call. */
class LeftTrashTest {
    private static final NativeId A = new NativeId("pvc-a");

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private Path trash() {
        return new BaseFolderLayout(folder.resolve("base")).trash();
    }

    /** Deletes a volume of some files in a process that ends before it has removed any. */
    private void leave() throws IOException {
        try (VolumeStore store = new DirectoryFixture(folder.resolve("base"), _ -> {}).open()) {
            store.create(store.plan(TestVolumes.empty("pvc-a"), A), TestWork.patient());
            for (int i = 0; i < 20; i++) {
                Path deep = Files.createDirectories(folder.resolve("base/v/pvc-a/d" + i % 4 + "/e"));
                Files.writeString(deep.resolve("f" + i), "content");
            }
            store.delete(A, OnDependents.REFUSE, TestWork.patient());
        }
        assertThat(DirectoryFixture.names(trash())).hasSize(1);
    }

    @Test
    void it_is_removed_by_the_next_process_without_a_call() throws IOException {
        leave();
        DirectoryFixture next = new DirectoryFixture(folder.resolve("base"));
        try (VolumeStore store = next.open()) {
            assertThat(DirectoryFixture.names(trash()))
                    .as("before the process serves")
                    .hasSize(1);

            next.removals().takeUp();

            assertThat(DirectoryFixture.names(trash())).isEmpty();
            assertThat(next.removals().now())
                    .extracting(Pending::place, Pending::entries, Pending::stuck)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple(
                            folder.resolve("base").toString(), 0, 0));
            assertThat(store.find(A, TestWork.patient())).isEmpty();
        }
    }

    @Test
    void a_base_that_is_opened_later_is_looked_at_too() throws IOException {
        leave();
        DirectoryFixture next = new DirectoryFixture(folder.resolve("base"));
        next.removals().takeUp();

        next.open().close();

        assertThat(DirectoryFixture.names(trash())).isEmpty();
    }

    @Test
    void what_waits_is_counted_and_stays_counted_until_it_is_gone() throws IOException {
        leave();
        List<Runnable> later = new ArrayList<>();
        DirectoryFixture next = new DirectoryFixture(folder.resolve("base"), later::add);
        try (VolumeStore store = next.open()) {
            store.create(store.plan(TestVolumes.empty("pvc-b"), new NativeId("pvc-b")), TestWork.patient());
            store.delete(new NativeId("pvc-b"), OnDependents.REFUSE, TestWork.patient());
            assertThat(next.removals().now()).extracting(Pending::entries).containsExactly(1);

            while (!later.isEmpty()) {
                later.removeFirst().run();
            }

            assertThat(next.removals().now()).extracting(Pending::entries).containsExactly(0);
            assertThat(DirectoryFixture.names(trash())).isEmpty();
        }
    }

    /** A process that is killed while it removes a tree leaves a part of it, whichever. */
    @Test
    void whatever_part_of_it_is_left_the_next_process_removes() throws IOException {
        Random random = new Random(22);
        for (int kill = 0; kill < 20; kill++) {
            leave();
            removeSome(random);

            DirectoryFixture next = new DirectoryFixture(folder.resolve("base"));
            try (VolumeStore store = next.open()) {
                next.removals().takeUp();
                assertThat(DirectoryFixture.names(trash())).as("kill %d", kill).isEmpty();
                assertThat(store.find(A, TestWork.patient())).isEmpty();
            }
        }
    }

    @Test
    void a_process_that_is_killed_again_and_again_while_it_removes_leaves_nothing_that_the_next_one_does_not_remove()
            throws Exception {
        Path base = Files.createDirectory(folder.resolve("base"));
        Files.createDirectory(base.resolve("v"));
        Random random = new Random(22);
        int left = 0;
        // One that is killed between two removals leaves nothing.
        for (int kill = 0; kill < 4 || (left == 0 && kill < 40); kill++) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin/java").toString(),
                            "-XX:TieredStopAtLevel=1",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            RemovalToKill.class.getName(),
                            base.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (BufferedReader said = process.inputReader()) {
                assertThat(said.readLine()).isEqualTo("begins");
                Thread.sleep(500 + random.nextInt(1000));
            } finally {
                process.destroyForcibly().waitFor();
            }
            left += DirectoryFixture.names(trash()).size();
        }

        DirectoryFixture next = new DirectoryFixture(base);
        try (VolumeStore store = next.open()) {
            next.removals().takeUp();

            assertThat(left).as("entries that processes left").isPositive();
            assertThat(DirectoryFixture.names(trash())).isEmpty();
            assertThat(next.removals().now()).extracting(Pending::entries).containsExactly(0);
            assertThat(store.list(PageRequest.all(), TestWork.patient()).items())
                    .hasSizeLessThanOrEqualTo(40);
        }
    }

    private void removeSome(Random random) throws IOException {
        try (Stream<Path> all = Files.walk(trash())) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                boolean empty =
                        !Files.isDirectory(path) || DirectoryFixture.names(path).isEmpty();
                if (!path.equals(trash()) && empty && random.nextInt(3) > 0) {
                    Files.delete(path);
                }
            }
        }
        if (DirectoryFixture.names(trash()).isEmpty()) {
            Files.createDirectory(trash().resolve("empty"));
        }
    }
}
