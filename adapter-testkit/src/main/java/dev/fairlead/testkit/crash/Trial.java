package dev.fairlead.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tries one scenario in one world, cleanly and with interference. */
public final class Trial<S> {
    private final CrashFixture<S> crashFixture;
    private final CrashScenario<S> scenario;
    private final String before;
    private final Clean clean;

    /** Holds how many effects a clean run had, what it answered, and the world after it. */
    public record Clean(int effects, Object answer, String after) {}

    /** Runs the scenario cleanly; a scenario without effects proves nothing and fails. */
    public Trial(CrashFixture<S> crashFixture, CrashScenario<S> scenario) {
        this.crashFixture = crashFixture;
        this.scenario = scenario;
        this.before = prepared();
        this.clean = cleanRun();
        assertThat(clean.effects()).as("effects of %s", scenario.name()).isPositive();
        assertThat(answerAgain()).as("answer of a repeated %s", scenario.name()).isEqualTo(clean.answer());
        assertThat(crashFixture.dump())
                .as("the world after a repeated %s", scenario.name())
                .isEqualTo(clean.after());
    }

    public int effects() {
        return clean.effects();
    }

    private String prepared() {
        crashFixture.reset();
        S subject = crashFixture.open();
        scenario.given().accept(subject);
        crashFixture.close(subject);
        return crashFixture.dump();
    }

    private Clean cleanRun() {
        S subject = crashFixture.open();
        InterferedWork work = InterferedWork.counting();
        Object answer = scenario.call().run(subject, work);
        crashFixture.close(subject);
        return new Clean(work.effects().size(), answer, crashFixture.dump());
    }

    /** Runs the scenario in a fresh world with interference at this effect, then asks again after a restart. */
    public void interfere(Interference interference, int effect) {
        String where = "%s, %s effect %d of %d".formatted(scenario.name(), interference, effect, clean.effects());
        assertThat(prepared()).as("the world before %s", where).isEqualTo(before);
        S subject = crashFixture.open();
        InterferedWork work = InterferedWork.at(effect, interference);
        Optional<Object> answer = disturbed(subject, work, interference, where);
        assertThat(work.reached()).as("the effect was reached: %s", where).isTrue();
        if (interference.isDeath()) {
            assertThat(answer).as("a dead process answers nothing: %s", where).isEmpty();
            crashFixture.bury(subject);
        } else {
            crashFixture.close(subject);
        }
        answer.ifPresent(given -> {
            assertThat(given).as("answer in spite of %s", where).isEqualTo(clean.answer());
            assertThat(crashFixture.dump()).as("OK means done: %s", where).isEqualTo(clean.after());
        });

        assertThat(answerAgain()).as("answer of the retry after %s", where).isEqualTo(clean.answer());
        assertThat(crashFixture.dump())
                .as("the world after the retry after %s", where)
                .isEqualTo(clean.after());
    }

    private Object answerAgain() {
        S subject = crashFixture.open();
        Object answer = scenario.call().run(subject, TestWork.patient());
        crashFixture.close(subject);
        return answer;
    }

    /** Returns what the disturbed call answered; empty if it failed as it may. */
    private Optional<Object> disturbed(S subject, InterferedWork work, Interference interference, String where) {
        @Nullable Throwable thrown;
        try {
            return Optional.of(scenario.call().run(subject, work));
        } catch (Throwable e) {
            thrown = e;
        }
        if (interference.isDeath()) {
            assertThat(work.reached()).as("%s: %s", where, thrown).isTrue();
            return Optional.empty();
        }
        assertThat(thrown).as(where).isInstanceOfSatisfying(StorageException.class, e -> {
            assertThat(e.failure().message()).isNotBlank();
            if (scenario.makes() && FinalAnswers.isFinal(e.failure())) {
                assertThat(crashFixture.dump())
                        .as("a final failure leaves nothing: %s: %s", where, e.getMessage())
                        .isEqualTo(before);
            }
            if (interference == Interference.CANCELLED_BEFORE) {
                assertThat(e.failure()).as(where).isInstanceOf(Failure.Cancelled.class);
            }
        });
        return Optional.empty();
    }
}
