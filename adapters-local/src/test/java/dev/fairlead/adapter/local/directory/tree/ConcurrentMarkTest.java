package dev.fairlead.adapter.local.directory.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.DirectoryFixture;
import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The mark of a base folder's owner, while many callers and processes write it at once. */
@Timeout(60)
class ConcurrentMarkTest {
    private static final int CALLERS = 8;
    private static final int ROUNDS = 20;
    private static final int MOMENTS = 15;

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private Path base = folder;

    @BeforeEach
    void base() {
        base = folder.resolve("base");
    }

    private static void make(VolumeStore store, String name, Work work) {
        store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), work);
    }

    /** One process may take what another writes for what an ended one left; then the call is repeated. */
    private static boolean made(VolumeStore store, String name) {
        return Failing.works(() -> make(store, name, TestWork.patient()));
    }

    private static boolean finds(VolumeStore store, String name) {
        return store.find(new NativeId(name), TestWork.patient()).isPresent();
    }

    /** The base as an earlier version left it, whose marks do not say of which base they are; or none. */
    private void lay(boolean old) throws IOException {
        if (Files.exists(base)) {
            TreeDelete.delete(base);
        }
        if (old) {
            make(new DirectoryFixture(base).open(), "pvc-old", TestWork.patient());
            Files.writeString(
                    base.resolve(".fairlead/owner"),
                    "{\"connection\": \"test\", \"installation\": \"dev.fairlead.test\"}");
        }
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void the_first_changes_of_many_callers_leave_a_base_that_goes_on(boolean old, boolean processes) throws Exception {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < ROUNDS; round++) {
                lay(old);
                DirectoryFixture process = new DirectoryFixture(base);
                CountDownLatch start = new CountDownLatch(1);
                List<Future<Boolean>> found = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    String name = "pvc-" + i;
                    VolumeStore store = processes ? new DirectoryFixture(base).open() : process.open();
                    found.add(callers.submit(() -> {
                        start.await();
                        for (int tries = 0; tries < (processes ? CALLERS : 1) && !made(store, name); tries++) {}
                        return finds(store, name);
                    }));
                }

                start.countDown();

                for (Future<Boolean> each : found) {
                    assertThat(each.get(20, TimeUnit.SECONDS))
                            .as("round %d", round)
                            .isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_process_in_the_middle_of_anothers_first_change_remembers_the_base_that_stays(boolean old)
            throws IOException {
        int met = 0;
        for (int moment = 1; moment <= MOMENTS; moment++) {
            lay(old);
            VolumeStore other = new DirectoryFixture(base).open();
            AtomicInteger checks = new AtomicInteger();
            int now = moment;
            Work work = TestWork.patient().cancelledWhen(() -> {
                if (checks.incrementAndGet() == now) {
                    make(other, "pvc-other", TestWork.patient());
                }
                return false;
            });

            VolumeStore store = new DirectoryFixture(base).open();
            if (!Failing.works(() -> make(store, "pvc-a", work))) { // the other took it for what an ended process left
                make(store, "pvc-a", TestWork.patient());
            }

            met += checks.get() >= now ? 1 : 0;
            assertThat(finds(other, "pvc-a")).as("moment %d", moment).isTrue();
            assertThat(finds(store, "pvc-a")).as("moment %d", moment).isTrue();
        }
        assertThat(met).isGreaterThan(5);
    }

    @Test
    void two_bases_of_an_earlier_version_are_told_apart() throws IOException {
        lay(true);
        VolumeStore store = new DirectoryFixture(base).open();
        make(store, "pvc-a", TestWork.patient());
        String first = Files.readString(base.resolve(".fairlead/owner"));
        Files.move(base, folder.resolve("away"));
        lay(true);

        make(new DirectoryFixture(base).open(), "pvc-a", TestWork.patient());

        assertThat(Files.readString(base.resolve(".fairlead/owner"))).isNotEqualTo(first);
    }
}
