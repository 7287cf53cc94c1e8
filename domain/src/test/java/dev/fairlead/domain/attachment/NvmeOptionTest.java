package dev.fairlead.domain.attachment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NvmeOptionTest {
    @ParameterizedTest
    @CsvSource({
        "ctrl_loss_tmo, -1",
        "reconnect_delay, 1",
        "fast_io_fail_tmo, 0",
        "keep_alive_tmo, 0",
        "nr_io_queues, 65535",
        "queue_size, 16",
        "tos, 255"
    })
    void a_class_gives_what_linux_takes(String key, String value) {
        assertThat(NvmeOption.ofClass(Map.of("nvmeof." + key, value, "compression", "lz4")))
                .containsExactly(Map.entry(NvmeOption.of(key).orElseThrow(), value));
    }

    @ParameterizedTest
    @CsvSource({
        "ctrl_loss_tmo, -2, -1 to 9999999",
        "ctrl_loss_tmo, 600s, -1 to 9999999",
        "reconnect_delay, 0, 1 to 9999999",
        "keep_alive_tmo, -1, 0 to 4294967",
        "nr_io_queues, 0, 1 to 65535",
        "nr_write_queues, '', 1 to 65535",
        "nr_poll_queues, 99999999999, 1 to 65535",
        "queue_size, 15, 16 to 1024",
        "queue_size, 2048, 16 to 1024",
        "tos, 256, 0 to 255",
        "tos, 08, 0 to 255",
        "ctrl-loss-tmo, 600, nvmeof.ctrl_loss_tmo",
        "hostnqn, x, nvmeof.ctrl_loss_tmo"
    })
    void anything_else_is_refused_with_its_key_and_what_is_expected(String key, String value, String expected) {
        assertThatThrownBy(() -> NvmeOption.ofClass(Map.of("nvmeof." + key, value)))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        it -> assertThat(it.failure()).isInstanceOf(Failure.InvalidRequest.class))
                .hasMessageContaining("nvmeof." + key)
                .hasMessageContaining(expected)
                .hasMessageContaining("mend the StorageClass");
    }

    @Test
    void every_way_has_the_options_of_the_class_in_the_place_of_its_own() {
        var subsystem = new Attachment.Nvmeof(
                "tcp://10.0.0.1:4420",
                List.of("tcp://[::1]:4420?--ctrl_loss_tmo=60&host-iface=eth0&ctrl-loss-tmo=5", "rdma://nas?tos=3"),
                "nqn.2026-11.test.lab:a",
                1);

        assertThat(subsystem.with(Map.of(NvmeOption.CTRL_LOSS_TMO, "600")))
                .isEqualTo(new Attachment.Nvmeof(
                        "tcp://10.0.0.1:4420?ctrl-loss-tmo=600",
                        List.of(
                                "tcp://[::1]:4420?host-iface=eth0&ctrl-loss-tmo=600",
                                "rdma://nas?tos=3&ctrl-loss-tmo=600"),
                        "nqn.2026-11.test.lab:a",
                        1));
    }

    @Test
    void a_way_that_is_left_empty_stays_so() {
        var subsystem = new Attachment.Nvmeof("", List.of("tcp://nas"), "nqn.2026-11.test.lab:a", 1);

        assertThat(subsystem.with(Map.of())).isEqualTo(subsystem);
        assertThat(subsystem.with(Map.of(NvmeOption.FAST_IO_FAIL_TMO, "9")))
                .isEqualTo(new Attachment.Nvmeof(
                        "", List.of("tcp://nas?fast_io_fail_tmo=9"), "nqn.2026-11.test.lab:a", 1));
    }
}
