package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.MethodOrderer.MethodName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The storage host itself, as the suites that use it expect it. */
@OnStorage
@TestMethodOrder(MethodName.class)
class StorageHostTest {
    private static final AtomicReference<String> EARLIER = new AtomicReference<>("");

    @Test
    void a_test_may_leave_datasets_exports_and_targets(StorageHost host) throws IOException {
        host.shell("zfs create -o sharenfs=on -o sharesmb=on " + host.parent() + "/shared"
                + "; zfs create -V 16M " + host.parent() + "/block; udevadm settle"
                + "; targetcli /backstores/block create left /dev/zvol/" + host.parent() + "/block"
                + "; targetcli /iscsi create iqn.2003-01.org.linux-iscsi.lab:left");
        EARLIER.set(host.parent());

        assertThat(host.root("exportfs")).contains("/" + host.parent() + "/shared");
        assertThat(host.shell("ls /sys/kernel/config/target/iscsi")).contains("iqn.2003-01.org.linux-iscsi.lab:left");
    }

    @Test
    void and_the_next_one_finds_nothing_of_it(StorageHost host) throws IOException {
        assertThat(host.root("zfs", "list", "-H", "-o", "name", "-r", "tank").lines())
                .containsExactly("tank", host.parent());
        assertThat(host.parent()).isNotEqualTo(EARLIER.get());
        assertThat(host.root("exportfs")).isBlank();
        assertThat(host.shell("ls /sys/kernel/config/target/iscsi")).doesNotContain("iqn.");
    }

    @Test
    void words_reach_a_command_as_they_are(StorageHost host) throws IOException {
        assertThat(host.root("printf", "%s|", "a b", "$HOME", "'", "")).isEqualTo("a b|$HOME|'||");
    }
}
