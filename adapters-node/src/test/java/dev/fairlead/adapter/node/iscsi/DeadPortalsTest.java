package dev.fairlead.adapter.node.iscsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import org.junit.jupiter.api.Test;

/** Who waits for a portal at which nothing answers, and who tries it nevertheless. */
class DeadPortalsTest extends TwoPortals {
    /** As kubelet's repeated NodeStageVolume of a volume with a map does. */
    @Test
    void a_dead_portal_costs_its_time_once_though_the_volume_is_staged_again() {
        var _ = staged();

        var _ = staged();

        assertThat(logins(DEAD)).hasSize(1);
    }

    @Test
    void a_dead_portal_of_a_target_costs_its_time_once_for_all_luns_of_it() {
        var _ = staged(IQN, 0);

        var _ = staged(IQN, 1);

        assertThat(logins(DEAD)).hasSize(1);
    }

    @Test
    void a_dead_portal_costs_its_time_once_for_all_targets_at_it() {
        var _ = staged();

        var _ = staged(OTHER, 0);

        assertThat(logins(DEAD)).hasSize(1);
    }

    @Test
    void a_portal_that_is_back_is_so_for_all_targets_and_by_the_record_of_each() {
        var _ = staged();
        var _ = staged(OTHER, 0);
        heal();

        assertThat(leavesMissing(IQN)).isFalse();
        assertThat(leavesMissing(OTHER)).isFalse();

        assertThat(logins(DEAD)).as("of staging, and one of each target").hasSize(3);
        assertThat(usable()).containsExactlyInAnyOrder("portal " + LIVE, "portal " + DEAD);
    }

    @Test
    void a_portal_that_the_background_has_found_again_is_tried_by_the_next_attachment() {
        var _ = staged();
        heal();
        assertThat(leavesMissing(IQN)).isFalse();

        var _ = staged(OTHER, 0);

        assertThat(logins(DEAD)).anyMatch(it -> it.contains(OTHER));
    }

    @Test
    void portals_that_were_all_dead_are_all_tried_and_let_the_volume_in_once_they_are_back() {
        node.refusals.put(LIVE, 8);
        node.silent.add(LIVE);
        assertThatThrownBy(this::staged).isInstanceOf(StorageException.class);

        assertThatThrownBy(this::staged).isInstanceOf(StorageException.class);
        assertThat(logins(LIVE)).hasSize(2);
        assertThat(logins(DEAD)).hasSize(2);

        heal();
        assertThat(staged().path()).hasFileName("dm-0");
        assertThat(usable()).containsExactlyInAnyOrder("portal " + LIVE, "portal " + DEAD);
    }

    @Test
    void a_portal_that_was_tried_since_no_other_works_is_not_dead_for_others_once_it_lets_one_in() {
        Attached.Device device = staged();
        attacher.detach(volume(IQN, 0), device.facts(), TestWork.patient());
        heal();
        node.refusals.put(LIVE, 24);
        var _ = staged();
        node.refusals.clear();

        var _ = staged(OTHER, 0);

        assertThat(logins(DEAD)).anyMatch(it -> it.contains(OTHER));
    }

    @Test
    void a_portal_that_was_dead_is_tried_if_the_other_one_is_lost() {
        Attached.Device device = staged();
        attacher.detach(volume(IQN, 0), device.facts(), TestWork.patient());
        heal();
        node.refusals.put(LIVE, 8);
        node.silent.add(LIVE);

        var _ = staged();

        assertThat(usable()).containsExactly("portal " + DEAD);
    }

    @Test
    void a_portal_that_was_dead_is_tried_if_the_session_that_is_up_does_not_show_the_lun() {
        var _ = staged();
        node.hiding.add(LIVE);
        heal();

        var _ = staged(IQN, 1);

        assertThat(logins(DEAD)).hasSize(2);
    }

    /** A second time-out after that of the other portal. */
    @Test
    void a_portal_that_is_still_dead_is_not_logged_in_at_if_the_other_one_is_lost() {
        Attached.Device device = staged();
        attacher.detach(volume(IQN, 0), device.facts(), TestWork.patient());
        node.refusals.put(LIVE, 8);
        node.silent.add(LIVE);

        Failure failure = Failing.failure(this::staged);

        assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
        assertThat(failure.message()).contains(LIVE, DEAD + ": nothing answers there");
        assertThat(logins(DEAD)).as("that of the first staging").hasSize(1);
    }

    @Test
    void a_refusal_is_not_final_while_a_portal_is_dead_that_may_let_the_node_in() {
        Attached.Device device = staged();
        attacher.detach(volume(IQN, 0), device.facts(), TestWork.patient());
        node.refusals.put(LIVE, 24);

        assertThat(Failing.failure(this::staged)).isInstanceOf(Failure.BackendUnavailable.class);
    }

    @Test
    void a_portal_that_refuses_a_login_is_not_dead_for_others() {
        node.silent.clear();
        node.refusals.put(DEAD, 24);
        var _ = staged();

        var _ = staged(IQN, 1);

        assertThat(logins(DEAD)).hasSize(2);
    }

    @Test
    void a_login_that_hangs_at_a_portal_that_answers_says_nothing_of_other_targets() {
        node.silent.clear();
        var _ = staged();

        var _ = staged(OTHER, 0);

        assertThat(logins(DEAD)).hasSize(2);
    }

    @Test
    void a_new_process_tries_a_dead_portal_for_itself() {
        var _ = staged();

        attacher = node.attacher();
        var _ = staged();

        assertThat(logins(DEAD)).hasSize(2);
    }
}
