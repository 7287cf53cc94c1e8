package dev.fairlead.lab.abuse.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DiskPulseTest {
    private static final long SHORTLY = TimeUnit.MILLISECONDS.toNanos(20);

    @Test
    void counts_the_syncs_of_a_disk(@TempDir Path folder) throws Exception {
        long begin = System.nanoTime();
        try (DiskPulse disk = new DiskPulse(folder)) {
            while (disk.syncs(begin, System.nanoTime()) < 3) {
                LockSupport.parkNanos(SHORTLY);
            }
            assertThat(disk.syncs(begin - 1, begin)).isZero();
        }
        assertThat(folder.resolve("disk-pulse")).exists();
    }

    @Test
    void a_sync_that_does_not_end_is_not_counted() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        long begin = System.nanoTime();
        try (DiskPulse disk = new DiskPulse(() -> {
            asked.countDown();
            try {
                done.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        })) {
            asked.await();
            LockSupport.parkNanos(10 * SHORTLY);
            long stood = System.nanoTime();
            assertThat(disk.syncs(begin, stood)).isZero();
            done.countDown();
            while (disk.syncs(begin, System.nanoTime()) < 2) {
                LockSupport.parkNanos(SHORTLY);
            }
            assertThat(disk.syncs(begin, stood)).isZero();
        }
    }

    @Test
    void a_disk_that_fails_excuses_nothing() {
        long begin = System.nanoTime();
        try (DiskPulse disk = new DiskPulse(() -> {
            throw new IOException("no space left");
        })) {
            assertThatThrownBy(() -> {
                        while (disk.syncs(begin, System.nanoTime()) == 0) {
                            LockSupport.parkNanos(SHORTLY);
                        }
                    })
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("failed");
        }
    }
}
