package dev.fairlead.lab.soak.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.lab.soak.audit.LeftOver.Kind;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeftOverTest {
    @Test
    void each_line_is_a_thing_of_its_kind() {
        assertThat(LeftOver.of("own-1", "mount\t/a b\niscsi_session\tiqn.1\nmount\t/c\nend\n"))
                .containsExactly(
                        new LeftOver(Kind.MOUNT, "own-1", "/a b"),
                        new LeftOver(Kind.MOUNT, "own-1", "/c"),
                        new LeftOver(Kind.ISCSI_SESSION, "own-1", "iqn.1"));
    }

    @Test
    void a_machine_that_has_nothing_says_so() {
        assertThat(LeftOver.of("own-1", "end\n")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "mount\t/a\n", "mount\t/a\nzfs: command not found\nend\n", "towel\tx\nend\n"})
    void what_is_cut_off_or_of_another_form_is_never_taken_for_nothing(String printed) {
        assertThatThrownBy(() -> LeftOver.of("own-1", printed)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void what_runs_on_the_storage_host_is_saved_by_the_same_name() {
        assertThat(LeftOver.of(
                        "storage",
                        "iscsi_backstore\tsrv\niscsi_target\tiqn.1\nnvme_subsystem\tnqn.1\nsnapshot\ta@b\nend\n"))
                .flatExtracting(it -> it.saved().stream().toList())
                .containsExactly(
                        new LeftOver(Kind.SAVED_ISCSI, "storage", "iqn.1"),
                        new LeftOver(Kind.SAVED_ISCSI, "storage", "srv"),
                        new LeftOver(Kind.SAVED_NVME, "storage", "nqn.1"));
    }

    @Test
    void things_are_counted_by_kind() {
        assertThat(LeftOverAudit.counts(LeftOver.of("own-1", "mount\t/a\nmount\t/b\njournal_entry\tx\nend\n")))
                .isEqualTo(Map.of(Kind.MOUNT, 2L, Kind.JOURNAL_ENTRY, 1L));
    }
}
