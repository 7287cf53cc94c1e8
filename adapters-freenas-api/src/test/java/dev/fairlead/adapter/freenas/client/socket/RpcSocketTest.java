package dev.fairlead.adapter.freenas.client.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import dev.fairlead.adapter.freenas.client.session.BoxWords;
import dev.fairlead.adapter.freenas.client.session.Reply;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.adapter.freenas.client.session.SessionException.Kind;
import dev.fairlead.adapter.freenas.client.session.TruenasLogin;
import dev.fairlead.http.TextSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What messages that are too long do to the calls of a socket. */
class RpcSocketTest {
    private static final String MANY = "0,".repeat(1 << 20) + "0";

    private final RpcSocket socket =
            new RpcSocket(BoxWords.without(new TruenasLogin(Optional.empty(), Optional.empty(), Optional.empty())));

    private void answers(Consumer<RpcSocket> answer) {
        socket.opened(new TextSocket() {
            @Override
            public boolean send(String text) {
                if (text.contains("long")) {
                    answer.accept(socket);
                } else {
                    socket.received("{\"jsonrpc\": \"2.0\", \"id\": 2, \"result\": true}");
                }
                return true;
            }

            @Override
            public void close() {
                socket.ended("it was closed here");
            }
        });
    }

    private Reply ask(String method) throws Exception {
        return socket.ask(method, new JsonArray(), Duration.ofSeconds(5), () -> {});
    }

    private void assertTooLong() {
        assertThatThrownBy(() -> ask("long"))
                .hasMessageContaining("a message of more than")
                .isInstanceOfSatisfying(
                        SessionException.class,
                        thrown -> assertThat(thrown.kind()).isEqualTo(Kind.TOO_LONG));
    }

    @Test
    void an_answer_that_is_too_long_fails_its_own_call_and_no_other_one() throws Exception {
        answers(it -> it.received("{\"jsonrpc\": \"2.0\", \"result\": [" + MANY + "], \"id\": 1}"));

        assertTooLong();

        assertThat(socket.isOpen()).isTrue();
        assertThat(ask("short")).isInstanceOf(Reply.Done.class);
    }

    @Test
    void a_message_that_is_too_long_and_answers_nothing_ends_the_session() {
        answers(it -> it.received("[" + MANY + "]"));

        assertTooLong();

        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void a_question_is_not_repeated_whose_answer_had_too_many_bytes() {
        answers(it -> it.ended("a message of more than 16777216 bytes"));

        assertTooLong();
    }
}
