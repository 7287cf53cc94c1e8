package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.service.node.JournalReconciler.Finding;
import dev.fairlead.application.service.node.JournalReconciler.State;
import dev.fairlead.bootstrap.telemetry.Metrics;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttachmentEventsTest {
    private final List<Announcement> told = new ArrayList<>();
    private final Metrics metrics = new Metrics("1.2.3");
    private final AttachmentEvents events = new AttachmentEvents(metrics, new ToldAnnouncements(told));

    @Test
    void every_state_is_counted_and_what_is_left_over_is_told_once_until_it_is_gone() {
        Finding stuck = new Finding(State.STUCK, "v:nas/pvc-1", "the logout was refused");
        Finding staged = new Finding(State.STAGED, "v:nas/pvc-2", "mounted");

        events.found(List.of(stuck, staged));
        events.found(List.of(stuck, staged));

        assertThat(metrics.scrape())
                .contains(
                        "fairlead_node_attachments{state=\"staged\"} 1",
                        "fairlead_node_attachments{state=\"stuck\"} 1",
                        "fairlead_node_attachments{state=\"idle\"} 0");
        assertThat(told).singleElement().satisfies(it -> assertThat(it.text()).contains("the logout was refused"));

        events.found(List.of(staged));
        events.found(List.of(stuck, staged));

        assertThat(told).hasSize(2);
    }

    @Test
    void what_cannot_be_read_of_the_journal_is_counted_and_told_as_such() {
        Finding unreadable = new Finding(State.UNREADABLE, "/staged/0a1b.staged", "it is cut off");

        events.found(List.of(unreadable));
        events.found(List.of(unreadable));

        assertThat(metrics.scrape()).contains("fairlead_node_attachments{state=\"unreadable\"} 1");
        assertThat(told)
                .singleElement()
                .satisfies(it -> assertThat(it.text())
                        .isEqualTo("the journal of this node cannot be read at /staged/0a1b.staged: it is cut off"));
    }

    @Test
    void a_session_without_a_volume_is_counted_and_told_once() {
        Finding orphaned = new Finding(State.ORPHANED, "nqn.2026-11.test.lab:stor", "nobody knows it");

        events.found(List.of(orphaned));
        events.found(List.of(orphaned));

        assertThat(metrics.scrape()).contains("fairlead_node_attachments{state=\"orphaned\"} 1");
        assertThat(told)
                .singleElement()
                .satisfies(it -> assertThat(it.text())
                        .isEqualTo("a session with nqn.2026-11.test.lab:stor is left over on this node (orphaned):"
                                + " nobody knows it"));
    }
}
