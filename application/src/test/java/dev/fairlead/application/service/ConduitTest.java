package dev.fairlead.application.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConduitTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final List<Long> passed = new ArrayList<>();

    private static Thread writing(Conduit conduit, byte[] content, int chunk) {
        return Thread.ofVirtual().start(() -> {
            try (var out = conduit.out()) {
                for (int at = 0; at < content.length; at += chunk) {
                    out.write(content, at, Math.min(chunk, content.length - at));
                }
                conduit.end();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void all_that_is_written_is_read_in_order_and_counted() throws Exception {
        byte[] content = new byte[9 << 20]; // more than it holds
        new Random(7).nextBytes(content);
        var conduit = new Conduit(LONG, passed::add);
        Thread writer = writing(conduit, content, 60_000);

        var read = new ByteArrayOutputStream();
        assertThat(conduit.awaitFirst()).isTrue();
        conduit.in().transferTo(read);
        writer.join();

        assertThat(read.toByteArray()).isEqualTo(content);
        assertThat(conduit.bytes()).isEqualTo(content.length);
        assertThat(passed).isSorted().last().isEqualTo((long) content.length);
        assertThat(conduit.endedFirst()).isTrue();
        assertThat(conduit.isSilent()).isFalse();
    }

    @Test
    void single_bytes_go_through_too() throws Exception {
        var conduit = new Conduit(LONG, passed::add);
        conduit.out().write(0xff);
        conduit.end();

        assertThat(conduit.in().read()).isEqualTo(0xff);
        assertThat(conduit.in().read()).isEqualTo(-1);
    }

    @Test
    void a_writer_that_ends_without_a_byte_is_no_beginning() {
        var conduit = new Conduit(LONG, passed::add);
        conduit.end();

        assertThat(conduit.awaitFirst()).isFalse();
        assertThat(conduit.isSilent()).isFalse();
        assertThat(conduit.endedFirst()).isTrue();
    }

    @Test
    void a_silent_writer_is_given_up() throws Exception {
        var conduit = new Conduit(SHORT, passed::add);

        assertThat(conduit.awaitFirst()).isFalse();
        assertThat(conduit.in().read(new byte[10])).isEqualTo(-1);

        assertThat(conduit.isSilent()).isTrue();
        assertThat(conduit.endedFirst()).isFalse();
    }

    @Test
    void a_reader_that_takes_nothing_is_given_up() throws Exception {
        var conduit = new Conduit(SHORT, passed::add);
        byte[] room = new byte[4 << 20];
        conduit.out().write(room);

        assertThatThrownBy(() -> conduit.out().write(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("took nothing");
    }

    @Test
    void a_writer_is_told_that_nobody_reads_any_more() {
        var conduit = new Conduit(LONG, passed::add);
        conduit.leave();

        assertThatThrownBy(() -> conduit.out().write(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("takes no more");
        conduit.end();

        assertThat(conduit.endedFirst()).isFalse();
    }
}
