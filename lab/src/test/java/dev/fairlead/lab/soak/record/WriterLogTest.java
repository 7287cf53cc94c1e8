package dev.fairlead.lab.soak.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WriterLogTest {
    @Test
    void a_log_tells_what_was_found_and_kept_and_the_size_that_was_seen_last() {
        WriterLog log = WriterLog.of("""
                found 1 nfs-0-1 17
                found\s
                whole
                Filesystem           1024-blocks    Used Available Capacity Mounted on
                198.51.100.61:/tank/nfs/v/pvc-1  65536  128 65408   0% /data
                dd: error writing '/data/records': Input/output error
                not kept
                kept 5
                198.51.100.61:/tank/nfs/v/pvc-1  131072  128 130944   0% /data
                kept 10
                """);

        assertThat(log).isEqualTo(new WriterLog(List.of("1 nfs-0-1 17", ""), true, 10, 131072));
    }

    @Test
    void a_log_that_has_just_begun_tells_nothing() {
        assertThat(WriterLog.of("cat: can't open '/data/records': No such file or directory\ncannot read\n"))
                .isEqualTo(new WriterLog(List.of(), false, 0, 0));
    }
}
