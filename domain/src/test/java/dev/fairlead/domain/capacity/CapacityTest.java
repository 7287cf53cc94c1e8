package dev.fairlead.domain.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CapacityTest {
    @Test
    void what_was_written_down_is_read() {
        assertThat(Capacity.read(Long.toString(Long.MAX_VALUE))).contains(Capacity.ofBytes(Long.MAX_VALUE));
        assertThat(Capacity.read("0")).contains(Capacity.ZERO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5", "1Gi", " 1", "9223372036854775808"})
    void what_is_no_size_is_read_as_none(String text) {
        assertThat(Capacity.read(text)).isEmpty();
    }
}
