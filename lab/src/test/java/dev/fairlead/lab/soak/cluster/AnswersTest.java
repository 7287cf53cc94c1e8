package dev.fairlead.lab.soak.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.lab.soak.cluster.Answers.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration NO_TIME = Duration.ZERO;

    @Test
    void a_question_is_repeated_until_it_is_answered() {
        Deque<Integer> statuses = new ArrayDeque<>(List.of(503, 200));

        String answer = Answers.given("list", LIMIT, () -> new Answer(statuses.removeFirst(), "yes"));

        assertThat(answer).isEqualTo("yes");
    }

    @Test
    void what_is_there_already_was_made() {
        assertThatCode(() -> Answers.made("pod", NO_TIME, () -> new Answer(409, "AlreadyExists")))
                .doesNotThrowAnyException();
    }

    @Test
    void what_is_not_there_was_deleted() {
        assertThatCode(() -> Answers.deleted("pod", NO_TIME, () -> new Answer(404, "NotFound")))
                .doesNotThrowAnyException();
    }

    @Test
    void what_is_missing_was_not_made() {
        assertThatThrownBy(() -> Answers.made("pod", NO_TIME, () -> new Answer(404, "no namespace")))
                .isInstanceOf(SoakFailure.class)
                .hasMessageContaining("no namespace");
    }

    @Test
    void a_wrong_request_is_not_repeated() {
        Deque<Integer> statuses = new ArrayDeque<>(List.of(422));

        assertThatThrownBy(() -> Answers.made("pod", LIMIT, () -> new Answer(statuses.removeFirst(), "bad field")))
                .isInstanceOf(SoakFailure.class)
                .hasMessageContaining("bad field");
    }

    @Test
    void a_server_that_stays_away_is_told_of() {
        assertThatThrownBy(() -> Answers.given("list", NO_TIME, () -> {
                    throw new IOException("connection refused");
                }))
                .isInstanceOf(SoakFailure.class)
                .hasMessageContaining("connection refused");
    }
}
