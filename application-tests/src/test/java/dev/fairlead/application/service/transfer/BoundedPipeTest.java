package dev.fairlead.application.service.transfer;

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

class BoundedPipeTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final List<Long> passed = new ArrayList<>();

    private static Thread writing(BoundedPipe pipe, byte[] content, int chunk) {
        return Thread.ofVirtual().start(() -> {
            try (var out = pipe.out()) {
                for (int at = 0; at < content.length; at += chunk) {
                    out.write(content, at, Math.min(chunk, content.length - at));
                }
                pipe.end();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void all_that_is_written_is_read_in_order_and_counted() throws Exception {
        byte[] content = new byte[9 << 20]; // more than it holds
        new Random(7).nextBytes(content);
        var pipe = new BoundedPipe(LONG, passed::add);
        Thread writer = writing(pipe, content, 60_000);

        var read = new ByteArrayOutputStream();
        assertThat(pipe.awaitFirst()).isTrue();
        pipe.in().transferTo(read);
        writer.join();

        assertThat(read.toByteArray()).isEqualTo(content);
        assertThat(pipe.bytes()).isEqualTo(content.length);
        assertThat(passed).isSorted().last().isEqualTo((long) content.length);
        assertThat(pipe.endedFirst()).isTrue();
        assertThat(pipe.isSilent()).isFalse();
    }

    @Test
    void single_bytes_go_through_too() throws Exception {
        var pipe = new BoundedPipe(LONG, passed::add);
        pipe.out().write(0xff);
        pipe.end();

        assertThat(pipe.in().read()).isEqualTo(0xff);
        assertThat(pipe.in().read()).isEqualTo(-1);
    }

    @Test
    void a_writer_that_ends_without_a_byte_is_no_beginning() {
        var pipe = new BoundedPipe(LONG, passed::add);
        pipe.end();

        assertThat(pipe.awaitFirst()).isFalse();
        assertThat(pipe.isSilent()).isFalse();
        assertThat(pipe.endedFirst()).isTrue();
    }

    @Test
    void a_silent_writer_is_given_up() throws Exception {
        var pipe = new BoundedPipe(SHORT, passed::add);

        assertThat(pipe.awaitFirst()).isFalse();
        assertThat(pipe.in().read(new byte[10])).isEqualTo(-1);

        assertThat(pipe.isSilent()).isTrue();
        assertThat(pipe.endedFirst()).isFalse();
    }

    @Test
    void a_reader_that_takes_nothing_is_given_up() throws Exception {
        var pipe = new BoundedPipe(SHORT, passed::add);
        byte[] room = new byte[4 << 20];
        pipe.out().write(room);

        assertThatThrownBy(() -> pipe.out().write(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("took nothing");
    }

    @Test
    void a_writer_is_told_that_nobody_reads_any_more() {
        var pipe = new BoundedPipe(LONG, passed::add);
        pipe.leave();

        assertThatThrownBy(() -> pipe.out().write(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("takes no more");
        pipe.end();

        assertThat(pipe.endedFirst()).isFalse();
    }
}
