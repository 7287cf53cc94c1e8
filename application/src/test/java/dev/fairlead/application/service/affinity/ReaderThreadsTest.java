package dev.fairlead.application.service.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What becomes of a question for which the machine has no thread. */
class ReaderThreadsTest {
    private boolean exhausted = true;

    private final ThreadFactory threads = work -> exhausted ? new Unstartable() : new Thread(work);

    @Test
    void what_another_controller_keeps_is_asked_for_again() throws InterruptedException {
        SavedVolumeReader reader = new SavedVolumeReader(new KeptInMemory(), InstantSource.system(), threads, () -> {});
        assertThatThrownBy(reader::ask).isInstanceOf(OutOfMemoryError.class);

        assertThat(reader.isFree()).isTrue();

        exhausted = false;
        reader.ask();
        assertThat(reader.isFree()).isFalse();
        for (int tries = 0; reader.briefly().isEmpty(); tries++) {
            assertThat(tries).isLessThan(100);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    @Test
    void a_source_is_asked_again() {
        StagedCluster cluster = new StagedCluster();
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        SourceReader reader = new SourceReader(new SlowSource("org.example.csi"), () -> {}, threads);

        assertThatThrownBy(() -> reader.ask(cluster.volumes(), Duration.ZERO)).isInstanceOf(OutOfMemoryError.class);

        assertThat(reader.isFree()).isTrue();
    }

    private static final class Unstartable extends Thread {
        @Override
        public void start() {
            throw new OutOfMemoryError("unable to create native thread");
        }
    }
}
