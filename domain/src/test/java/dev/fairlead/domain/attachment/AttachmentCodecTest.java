package dev.fairlead.domain.attachment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AttachmentCodecTest {
    @Test
    void a_directory_is_spelled_as_the_peer_spells_it() {
        var attachment = new Attachment.HostPath("/srv/v/pvc-1");

        Map<String, String> context = AttachmentCodec.encode(attachment);

        assertThat(context).isEqualTo(Map.of("node_attach_driver", "hostpath", "path", "/srv/v/pvc-1"));
        assertThat(AttachmentCodec.decode(context)).isEqualTo(attachment);
    }

    @Property
    void what_is_encoded_is_decoded(@ForAll String name) {
        net.jqwik.api.Assume.that(name.indexOf('\0') < 0);
        var attachment = new Attachment.HostPath("/" + name);

        assertThat(AttachmentCodec.decode(AttachmentCodec.encode(attachment))).isEqualTo(attachment);
    }

    @Test
    void entries_of_others_are_passed_over() {
        Map<String, String> context = Map.of(
                "node_attach_driver", "hostpath", "path", "/a", "provisioner_driver", "local-hostpath", "x", "y");

        assertThat(AttachmentCodec.decode(context)).isEqualTo(new Attachment.HostPath("/a"));
    }

    @ParameterizedTest
    @MethodSource
    void a_context_that_names_no_attachment_is_refused_by_its_key(Map<String, String> context, String key) {
        assertThatThrownBy(() -> AttachmentCodec.decode(context))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.InvalidRequest.class))
                .hasMessageContaining("volume_context." + key);
    }

    static List<Arguments> a_context_that_names_no_attachment_is_refused_by_its_key() {
        return List.of(
                Arguments.of(Map.of(), "node_attach_driver"),
                Arguments.of(Map.of("node_attach_driver", "carrier-pigeon", "path", "/a"), "node_attach_driver"),
                Arguments.of(Map.of("node_attach_driver", "hostpath"), "path"),
                Arguments.of(Map.of("node_attach_driver", "hostpath", "path", "relative"), "path"),
                Arguments.of(Map.of("node_attach_driver", "hostpath", "path", "/a\0b"), "path"));
    }
}
