package dev.fairlead.domain.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelinuxContextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "context=\"system_u:object_r:container_file_t:s0:c1,c2\"",
                "context=\"system_u:object_r:container_file_t:s0\"",
                "rootcontext=\"a:b:c\"",
                "defcontext=\"a:b:c:s0-s15:c0.c1023\"",
                "fscontext=\"a:b:c:s0:c1.c3,c7-s3:c0.c9,c12\""
            })
    void what_selinux_takes_may_stand_in_quotes(String option) {
        assertThat(SelinuxContext.isQuoted(option)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "context=\"x,suid\"",
                "context=\"a:b:c:s0:c1,suid\"",
                "context=\"a:b:c:s0:c1,c2\"x",
                "context=\"a:b:c\"\"",
                "context=a:b:c",
                "CONTEXT=\"a:b:c\"",
                "xcontext=\"a:b:c\"",
                "context=\"\"",
                "context=\"a:b:c:s0:c1,\"",
                "context=\"a,suid:b:c:s0\""
            })
    void nothing_else_may(String option) {
        assertThat(SelinuxContext.isQuoted(option)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "a:b:c:s0:c1;c2, context=\"a:b:c:s0:c1;c2\", true",
        "a:b:c:s0:c2;c1, context=\"a:b:c:s0:c1;c2\", true",
        "a:b:c:s0:c1;c2;c3, context=\"a:b:c:s0:c1.c3\", true",
        "a:b:c:s0-s0, context=a:b:c:s0, true",
        "a:b:c, context=a:b:c:s0, true",
        "a:b:c:Secret, context=a:b:c:s5, true",
        "a:b:c:s0:c1;c2, '', true",
        "a:b:c:s0:c1;c2, context=\"a:b:c:s0:c1;c3\", false",
        "a:b:c:s0:c1, context=a:b:d:s0:c1, false",
        "a:b:c:s0:c1, context=a:b:c:s0, false",
        "a:b:c:s0:c1, seclabel, false"
    })
    void a_mount_has_the_context_that_is_asked_for_or_another(String wanted, String shown, boolean same) {
        List<String> asked = List.of("ro", "context=\"" + wanted.replace(';', ',') + "\"");

        assertThat(SelinuxContext.difference(asked, List.of("rw", shown.replace(';', ',')))
                        .isEmpty())
                .isEqualTo(same);
    }

    @Test
    void a_mount_for_which_none_is_asked_may_have_any() {
        assertThat(SelinuxContext.difference(List.of("ro"), List.of("rw", "context=a:b:c:s0")))
                .isEmpty();
    }

    @Test
    void a_difference_names_both() {
        assertThat(SelinuxContext.difference(List.of("context=\"a:b:c:s0:c2,c1\""), List.of("rw", "context=a:b:c:s0")))
                .contains("its files have the SELinux context a:b:c:s0, asked for is a:b:c:s0:c1,c2");
    }
}
