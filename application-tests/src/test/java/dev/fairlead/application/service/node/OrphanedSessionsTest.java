package dev.fairlead.application.service.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.node.JournalReconciler.Finding;
import dev.fairlead.application.service.node.JournalReconciler.State;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node does with sessions of this driver of which the journal has no volume. */
class OrphanedSessionsTest {
    private static final String IQN = FakeTargets.target("one").iqn();

    private final ProtocolNode on = new ProtocolNode();
    private final JournalReconciler reconciler = on.reconciler(new KeyedLocks(SteppingClock.standing()));
    private final TestWork work = TestWork.patient();

    private List<State> states() {
        return reconciler.look(work).stream().map(Finding::state).toList();
    }

    @Test
    void a_session_that_two_looks_find_without_a_volume_is_told_and_stays() {
        on.targets.leftBehind(IQN);
        assertThat(states()).as("a call may be at work on it").isEmpty();

        for (int look = 0; look < 2 * JournalReconciler.LOOKS; look++) {
            assertThat(reconciler.look(work))
                    .extracting(Finding::state, Finding::subject)
                    .containsExactly(tuple(State.ORPHANED, IQN));
        }

        assertThat(reconciler.look(work))
                .extracting(Finding::detail)
                .singleElement(STRING)
                .endsWith("end it by: logout " + IQN);
        assertThat(on.targets.dump()).contains("session");
    }

    @Test
    void a_session_that_may_be_of_what_cannot_be_read_is_not_told() {
        on.targets.leftBehind(IQN);
        assertThat(states()).isEmpty();
        on.journal.spoil("v:nas/other");

        for (int look = 0; look < 3; look++) {
            assertThat(states()).containsExactly(State.UNREADABLE);
        }
    }
}
