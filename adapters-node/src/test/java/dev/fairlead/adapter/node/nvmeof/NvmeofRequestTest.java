package dev.fairlead.adapter.node.nvmeof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.attachment.NvmeOption;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.Failing;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What PersistentVolumes and secrets may say, which comes from whoever may write them. */
class NvmeofRequestTest {
    private static final String NQN = "nqn.2026-11.test.lab:stor";

    private static NvmeofRequest request(String nqn, String transport, Map<String, Secret> secrets) {
        return NvmeofRequest.of(new Attachment.Nvmeof(transport, List.of(), nqn, 1), secrets);
    }

    private static Failure failure(String nqn, String transport, Map<String, Secret> secrets) {
        return Failing.failure(() -> request(nqn, transport, secrets));
    }

    @ParameterizedTest
    @CsvSource({
        "dhchap_secret, hunter2",
        "dhchap_secret, 'DHHC-1:00:ia6zGodOr4SEG0Zzaw398rpY0wqipUWj4jWjUh4HWUz6aQ2n:,hostnqn=nqn.2014-08.org.x'",
        "dhchap_ctrl_secret, DHHC-1:00:ia6zGodOr4SEG0Zzaw398rpY0wqipUWj4jWjUh4HWUz6aQ2n:",
        "tls_key, NVMeTLSkey-1:01:hunter2:"
    })
    void a_hostile_secret_is_refused_and_not_shown(String key, String value) {
        Failure failure = failure(NQN, "tcp://10.0.0.1", Map.of(key, new Secret(value)));

        assertThat(failure).isInstanceOf(Failure.InvalidRequest.class);
        assertThat(failure.message()).contains("secrets.").doesNotContain("hunter2", "ia6zGod");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.1:4420",
                "tcp://-x",
                "tcp://10.0.0.1:0",
                "tcp://10.0.0.1:70000",
                "tcp://10.0.0.1,hostnqn=nqn.2014-08.org.x",
                "tcp://[::1",
                "tcp://a b",
                "loop://x",
                "fc://nn-0x1",
                "tcp://10.0.0.1?config=/etc/shadow",
                "tcp://10.0.0.1?ctrl-loss-tmo=1,nqn=x",
                "tcp://10.0.0.1?host-iface=a%2Cb",
                "tcp://10.0.0.1?nr-io-queues=many",
                "tcp://10.0.0.1?nr-io-queues=0",
                "tcp://10.0.0.1?queue-size=4096",
                "tcp://10.0.0.1?reconnect-delay=-1",
                "tcp://10.0.0.1?-l=-2",
                "tcp://10.0.0.1?tos=%zz",
                "tcp://10.0.0.1?dhchap-secret=hunter2",
                "tcp://10.0.0.1?tls-key=NVMeTLSkey-1:01:hunter2:",
                "tcp://10.0.0.1?keyring=.nvme"
            })
    void a_hostile_transport_is_refused(String transport) {
        assertThat(failure(NQN, transport, Map.of()).message())
                .contains("volume_context.transport")
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-n",
                "nqn",
                "nqn.2026-11.test,hostid=x",
                "nqn.2014-08.org.nvmexpress.discovery",
                "nqn.2026-11.a b"
            })
    void a_hostile_name_is_refused(String nqn) {
        assertThat(failure(nqn, "tcp://10.0.0.1", Map.of()).message()).contains("volume_context.nqn");
    }

    @ParameterizedTest
    @CsvSource({
        "tcp://10.0.0.1, tcp://10.0.0.1:4420",
        "tcp://nas:4421?host-iface=eth0, tcp://nas:4421",
        "TCP://[fe80::1%eth0], tcp://[fe80::1%eth0]:4420",
        "rdma://10.0.0.1/, rdma://10.0.0.1:4420",
        "fc://[nn-0x10:pn-0x20], fc://[nn-0x10:pn-0x20]",
        "fc://nn-0x10:pn-0x20, fc://[nn-0x10:pn-0x20]"
    })
    void transports_of_democratic_csi_are_understood(String text, String transport) {
        assertThat(request(NQN, text, Map.of()).transports().getFirst()).hasToString(transport);
    }

    @Test
    void a_context_of_democratic_csi_is_accepted() {
        Map<String, String> context = Map.of(
                "node_attach_driver",
                "nvmeof",
                "provisioner_driver",
                "zfs-generic-nvmeof",
                "transport",
                "",
                "transports",
                "tcp://10.0.0.1:4420, tcp://10.0.0.2:4420?nr-io-queues=2,tcp://10.0.0.1",
                "nqn",
                NQN,
                "nsid",
                "1");

        var attachment = (Attachment.Nvmeof) AttachmentCodec.decode(context);

        assertThat(NvmeofRequest.of(attachment, Map.of()).transports())
                .extracting(NvmeofTransport::toString)
                .containsExactly("tcp://10.0.0.1:4420", "tcp://10.0.0.2:4420");
    }

    @Test
    void serial_numbers_of_keys_and_a_second_connection_are_told_to_the_kernel() {
        NvmeofRequest request =
                request(NQN, "tcp://10.0.0.1?--tls&--tls_key=0x26b3260e&--keyring=305419896&-D", Map.of());

        assertThat(request.transports().getFirst().options().text())
                .contains(",tls,", ",tls_key=0x26b3260e")
                .contains("duplicate_connect", "keyring=305419896");
    }

    /** What a class says comes in the ways of the context, whoever wrote it. */
    @Test
    void what_a_class_says_reaches_the_kernel_in_the_place_of_the_defaults() {
        Attachment.Nvmeof plain = new Attachment.Nvmeof("tcp://10.0.0.1?reconnect-delay=2", List.of(), NQN, 1);
        Attachment.Nvmeof said = plain.with(NvmeOption.ofClass(Map.of(
                "nvmeof.ctrl_loss_tmo", "600",
                "nvmeof.keep_alive_tmo", "7",
                "nvmeof.nr_io_queues", "4",
                "nvmeof.reconnect_delay", "3",
                "nvmeof.fast_io_fail_tmo", "30")));

        assertThat(text(plain)).isEqualTo("ctrl_loss_tmo=1800,reconnect_delay=2");
        assertThat(text((Attachment.Nvmeof) AttachmentCodec.decode(AttachmentCodec.encode(said))))
                .isEqualTo("ctrl_loss_tmo=600,fast_io_fail_tmo=30,keep_alive_tmo=7,nr_io_queues=4,reconnect_delay=3");
    }

    private static String text(Attachment.Nvmeof attachment) {
        return NvmeofRequest.of(attachment, Map.of())
                .transports()
                .getFirst()
                .options()
                .text();
    }

    @Test
    void no_message_shows_the_options_of_a_way() {
        String key = "DHHC-1:00:ia6zGodOr4SEG0Zzaw398rpY0wqipUWj4jWjUh4HWUz6aQ2n:";

        NvmeofRequest request = request(NQN, "tcp://10.0.0.1?dhchap-secret=" + key, Map.of());

        assertThat(request.toString()).doesNotContain("ia6zGod");
        assertThat(request.transports().getFirst().options().text()).contains("dhchap_secret=" + key);
    }

    @Test
    void namespace_0_and_a_volume_without_a_way_are_refused() {
        assertThat(failure(NQN, "", Map.of()).message()).contains("volume_context.transport");
        try {
            var _ = NvmeofRequest.of(new Attachment.Nvmeof("tcp://nas", List.of(), NQN, 0), Map.of());
        } catch (StorageException e) {
            assertThat(e.failure().message()).contains("volume_context.nsid");
            return;
        }
        throw new AssertionError("it was not refused");
    }
}
