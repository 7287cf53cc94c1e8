package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One pool that several nodes have mounted. */
class SharedPoolTest extends SharedPoolFixture {
    @Test
    void its_volumes_need_no_node_that_is_chosen_before() {
        assertThat(on("n1").isForOneNode(TestVolumes.empty("pvc-1"))).isFalse();
    }

    @Test
    void volumes_are_everywhere_and_each_node_serves_what_another_made() {
        try (VolumeStore a = on("a");
                VolumeStore b = on("b")) {
            assertThat(make(a, ID, TestWork.patient()).volume().ownPlacement()).contains(Placement.ANYWHERE);

            assertThat(b.find(ID, TestWork.patient()).orElseThrow().ownPlacement())
                    .contains(Placement.ANYWHERE);
            assertThat(make(b, ID, TestWork.patient()).fresh()).isFalse();
            b.delete(ID, OnDependents.REFUSE, TestWork.patient());

            assertThat(a.find(ID, TestWork.patient())).isEmpty();
            a.delete(ID, OnDependents.REFUSE, TestWork.patient());
            verifyNothingUnfinished(base, "a", "b");
        }
    }

    @Test
    void a_process_that_begins_leaves_alone_what_another_node_is_making() throws IOException {
        int met = 0;
        for (int moment = 1; moment <= MOMENTS; moment++) {
            anew();
            AtomicInteger checks = new AtomicInteger();
            try (VolumeStore a = on("a");
                    VolumeStore b = on("b")) {
                make(a, new NativeId("pvc-0"), TestWork.patient());

                make(a, ID, at(moment, () -> make(b, new NativeId("pvc-2"), TestWork.patient()), checks));

                assertThat(b.find(ID, TestWork.patient()))
                        .as("moment %d", moment)
                        .isPresent();
            }
            met += checks.get() >= moment ? 1 : 0;
        }
        assertThat(met).isGreaterThan(5);
    }

    @Test
    void two_nodes_that_are_asked_for_one_volume_make_it_once() throws IOException {
        int refused = 0;
        for (int moment = 1; moment <= MOMENTS; moment++) {
            anew();
            AtomicInteger checks = new AtomicInteger();
            AtomicInteger made = new AtomicInteger();
            try (VolumeStore a = on("a");
                    VolumeStore b = on("b")) {
                make(a, new NativeId("pvc-0"), TestWork.patient());
                TestWork work = at(moment, () -> made(b, made), checks);
                boolean first = Failing.works(() -> make(a, ID, work));

                assertThat(first || made.get() > 0).as("moment %d", moment).isTrue();
                Object key = key(base.resolve("v/pvc-1"));
                assertThat(make(a, ID, TestWork.patient()).fresh()).isFalse();
                assertThat(make(b, ID, TestWork.patient()).fresh()).isFalse();
                assertThat(key(base.resolve("v/pvc-1"))).isEqualTo(key);
                refused += checks.get() >= moment && made.get() == 0 ? 1 : 0;
                verifyNothingUnfinished(base, "a", "b");
            }
        }
        assertThat(refused).as("moments at which the other node was refused").isGreaterThan(3);
    }

    private static void made(VolumeStore store, AtomicInteger made) {
        if (Failing.works(() -> make(store, ID, TestWork.patient()))) {
            made.incrementAndGet();
        }
    }

    @Test
    void what_a_node_was_making_when_it_died_is_made_by_another_one_once_it_counts_as_gone() throws Exception {
        int waited = 0;
        for (int moment = 1; moment <= MOMENTS; moment++) {
            anew();
            Path crashed = folder.resolve("crashed-" + moment);
            AtomicInteger checks = new AtomicInteger();
            try (VolumeStore a = on("a")) {
                make(a, new NativeId("pvc-0"), TestWork.patient());
                make(a, ID, at(moment, () -> copy(base, crashed), checks));
            }
            if (checks.get() < moment) {
                break;
            }
            try (VolumeStore b = on("b", crashed)) {
                if (!Failing.works(() -> make(b, ID, TestWork.patient()))) {
                    waited++;
                    refused(() -> make(b, ID, TestWork.patient()), "node a is making volume pvc-1");
                    refused(() -> b.delete(ID, OnDependents.REFUSE, TestWork.patient()), "node a is making");
                }
                silence("a", crashed);
                clock.advance(Duration.ofMinutes(11));

                make(b, ID, TestWork.patient());
                make(b, new NativeId("pvc-2"), TestWork.patient());

                assertThat(b.find(ID, TestWork.patient()))
                        .as("moment %d", moment)
                        .isPresent();
                verifyNothingUnfinished(crashed, "a", "b");
            }
        }
        assertThat(waited).isGreaterThan(3);
    }
}
