package dev.fairlead.adapter.zfs.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.host.HostView.Finding;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.zfs.property.Property;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What lines of the host's own tables say of a share. */
class HostViewTest {
    private static Finding find(ShareProtocol protocol, String lines, String mountpoint) {
        String text = lines.replace("\\t", "\t").replace("\\n", "\n");
        return new HostView(protocol, Elevation.NONE)
                .find(Map.of(HostView.ROW, new Property(text, "host")), mountpoint);
    }

    /** The look is for the end of the path, so that those above it can come with it. */
    @ParameterizedTest
    @CsvSource({
        "/tank/v/pvc-1\\t*(rw), THERE",
        "/backup/tank/v/pvc-1\\t*(rw), ABSENT",
        "/backup/tank/v/pvc-1\\t*(rw)\\n/tank/v/pvc-1\\t10.0.0.1(ro), THERE",
        "'', ABSENT"
    })
    void an_export_is_known_by_its_whole_path(String lines, Finding expected) {
        assertThat(find(ShareProtocol.NFS, lines, "/tank/v/pvc-1")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"/tank/a\\040b/c\\011d\\t*(rw), THERE", "/tank/a b/c\\t*(rw), ABSENT"})
    void what_is_not_plain_in_a_path_is_a_number_of_eight(String lines, Finding expected) {
        assertThat(find(ShareProtocol.NFS, lines, "/tank/a b/c\td")).isEqualTo(expected);
    }

    /** It is looked for by its name, and two datasets may have one. */
    @ParameterizedTest
    @CsvSource({"path=/tank/v/pvc-1, THERE", "path=/tank/v/pvc_1, ANOTHERS", "'', ABSENT"})
    void a_share_of_smb_is_known_by_the_path_that_it_is_of(String lines, Finding expected) {
        assertThat(find(ShareProtocol.SMB, lines, "/tank/v/pvc-1")).isEqualTo(expected);
    }
}
