package dev.fairlead.adapter.k8s.election;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.election.Candidate.Step;
import dev.fairlead.adapter.k8s.election.ElectionSettings.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CandidateTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Instant YEARS_AGO = Instant.parse("1999-01-01T00:00:00Z");

    private final Stored leases = new Stored();
    private Instant now = Instant.EPOCH;

    @Test
    void the_first_makes_the_lease_and_leads_for_less_than_others_wait() {
        var step = candidate("a", now).step(PATIENCE);

        assertThat(step).isEqualTo(new Step.Leads(now.plusSeconds(10)));
        assertThat(leases.claim()).satisfies(claim -> {
            assertThat(claim.holder()).isEqualTo("a");
            assertThat(claim.seconds()).isEqualTo(15);
            assertThat(claim.renewed()).isEqualTo("1970-01-01T00:00:00.000000Z");
        });
    }

    @Test
    void a_lease_whose_times_are_long_past_is_left_alone_until_it_has_not_changed_for_its_length() {
        candidate("a", YEARS_AGO).step(PATIENCE);
        var other = candidate("b", now);

        var first = other.step(PATIENCE);
        pass(14);
        var second = other.step(PATIENCE);
        pass(1);
        var third = other.step(PATIENCE);

        assertThat(first).isEqualTo(new Step.Waits("a", Instant.EPOCH.plusSeconds(15)));
        assertThat(second).isEqualTo(first);
        assertThat(third).isInstanceOf(Step.Leads.class);
        assertThat(leases.claim().transitions()).isEqualTo(1);
    }

    @Test
    void each_renewal_makes_the_others_wait_anew() {
        var leader = candidate("a", now);
        leader.step(PATIENCE);
        var other = candidate("b", now);
        other.step(PATIENCE);
        pass(8);

        leader.step(PATIENCE);
        var seen = other.step(PATIENCE);
        pass(14);

        assertThat(seen).isEqualTo(new Step.Waits("a", Instant.EPOCH.plusSeconds(23)));
        assertThat(other.step(PATIENCE)).isInstanceOf(Step.Waits.class);
        assertThat(leases.claim().transitions()).isZero();
    }

    @Test
    void a_leader_that_meets_another_name_has_lost() {
        var leader = candidate("a", now);
        leader.step(PATIENCE);
        leases.update(leases.lease.orElseThrow(), Lease.born("b", Times.USUAL.lease(), now), PATIENCE);

        assertThat(leader.step(PATIENCE)).isEqualTo(new Step.Lost("b holds the Lease ns/lease"));
        assertThat(leader.leadsUntil()).isBefore(now);
    }

    @Test
    void a_leader_whose_answer_was_lost_finds_its_own_name_and_goes_on() {
        var leader = candidate("a", now);
        leader.step(PATIENCE);
        leases.update(
                leases.lease.orElseThrow(), leases.lease.orElseThrow().renewed(Times.USUAL.lease(), now), PATIENCE);
        pass(2);

        assertThat(leader.step(PATIENCE)).isEqualTo(new Step.Leads(now.plusSeconds(10)));
        assertThat(leases.claim().transitions()).isZero();
    }

    @Test
    void a_lease_that_was_given_up_is_taken_at_once() {
        var leader = candidate("a", now);
        leader.step(PATIENCE);
        var other = candidate("b", now);
        other.step(PATIENCE);

        leader.release(PATIENCE);

        assertThat(leases.claim().holder()).isEmpty();
        assertThat(other.step(PATIENCE)).isInstanceOf(Step.Leads.class);
    }

    @Test
    void giving_up_does_not_empty_what_is_another_ones_by_now() {
        var leader = candidate("a", now);
        leader.step(PATIENCE);
        leases.update(leases.lease.orElseThrow(), Lease.born("b", Times.USUAL.lease(), now), PATIENCE);

        leader.release(PATIENCE);

        assertThat(leases.claim().holder()).isEqualTo("b");
    }

    @Test
    void a_lease_that_was_deleted_is_not_taken_while_its_holder_may_lead() {
        candidate("a", now).step(PATIENCE);
        var other = candidate("b", now);
        other.step(PATIENCE);
        pass(14);
        leases.lease = Optional.empty();

        var first = other.step(PATIENCE);
        pass(14);
        var second = other.step(PATIENCE);
        pass(1);

        assertThat(first).isEqualTo(new Step.Waits("", Instant.EPOCH.plusSeconds(29)));
        assertThat(second).isEqualTo(first);
        assertThat(other.step(PATIENCE)).isInstanceOf(Step.Leads.class);
    }

    @Test
    void a_leader_makes_a_deleted_lease_anew() {
        var leader = candidate("a", now);
        leader.step(PATIENCE);
        leases.lease = Optional.empty();
        pass(2);

        assertThat(leader.step(PATIENCE)).isEqualTo(new Step.Leads(now.plusSeconds(10)));
    }

    private Candidate candidate(String name, Instant wall) {
        InstantSource skewed = () -> wall.plus(Duration.between(Instant.EPOCH, now));
        return new Candidate(leases, name, Times.USUAL, skewed, () -> now);
    }

    private void pass(int seconds) {
        now = now.plusSeconds(seconds);
    }

    /** One Lease in memory. */
    private static final class Stored implements Leases {
        private Optional<Lease> lease = Optional.empty();
        private int version;

        Lease.Claim claim() {
            return lease.orElseThrow().claim();
        }

        @Override
        public Optional<Lease> find(Duration patience) {
            return lease;
        }

        @Override
        public Optional<Lease> create(Lease.Claim claim, Duration patience) {
            return lease.isPresent() ? Optional.empty() : write(claim);
        }

        @Override
        public Optional<Lease> update(Lease known, Lease.Claim claim, Duration patience) {
            return lease.filter(now -> now.version().equals(known.version())).flatMap(_ -> write(claim));
        }

        private Optional<Lease> write(Lease.Claim claim) {
            lease = Optional.of(new Lease(new JsonObject(), Integer.toString(++version), claim));
            return lease;
        }

        @Override
        public String name() {
            return "ns/lease";
        }
    }
}
