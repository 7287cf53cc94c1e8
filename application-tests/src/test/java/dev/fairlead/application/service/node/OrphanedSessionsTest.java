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
    void a_session_of_this_driver_that_the_journal_does_not_have_is_told_and_ended_if_nobody_uses_it() {
        on.targets.leftBehind(IQN);

        for (int look = 1; look < JournalReconciler.LOOKS; look++) {
            assertThat(reconciler.look(work))
                    .extracting(Finding::state, Finding::subject)
                    .containsExactly(tuple(State.ORPHANED, IQN));
        }
        assertThat(on.targets.dump()).contains("session");
        assertThat(states()).containsExactly(State.DETACHED);

        assertThat(on.targets.dump()).isEmpty();
        assertThat(states()).isEmpty();
    }

    @Test
    void a_session_of_this_driver_that_somebody_uses_is_told_and_stays() {
        on.targets.leftBehind(IQN);
        on.targets.held();

        for (int look = 0; look < 2 * JournalReconciler.LOOKS; look++) {
            assertThat(states()).containsExactly(State.ORPHANED);
        }

        assertThat(reconciler.look(work))
                .extracting(Finding::detail)
                .singleElement(STRING)
                .contains("a program");
        assertThat(on.targets.dump()).contains("session");
        on.targets.released();
        assertThat(states()).containsExactly(State.DETACHED);
    }

    @Test
    void a_session_that_may_be_of_what_cannot_be_read_is_not_ended() {
        on.targets.leftBehind(IQN);
        on.journal.spoil("v:nas/other");

        for (int look = 0; look < 2 * JournalReconciler.LOOKS; look++) {
            assertThat(states()).containsExactly(State.UNREADABLE);
        }

        assertThat(on.targets.dump()).contains("session");
    }
}
