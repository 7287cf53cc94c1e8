package dev.fairlead.domain.digest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DigestsTest {
    private static final String LONG = "pvc-0123456789abcdef0123456789abcdef";

    @Test
    void a_name_that_fits_stays_as_it_is() {
        assertThat(Digests.shortened("pvc-1", 18)).isEqualTo("pvc-1");
        assertThat(Digests.shortened("a".repeat(18), 18)).isEqualTo("a".repeat(18));
    }

    @Test
    void a_name_that_is_too_long_keeps_its_beginning_and_what_tells_it_from_others() {
        String first = Digests.shortened(LONG + "-1", 30);
        String second = Digests.shortened(LONG + "-2", 30);

        assertThat(first)
                .hasSize(30)
                .startsWith("pvc-012345678-")
                .isNotEqualTo(second)
                .isEqualTo(Digests.shortened(LONG + "-1", 30));
    }
}
