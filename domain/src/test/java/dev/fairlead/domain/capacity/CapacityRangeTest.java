package dev.fairlead.domain.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacityRangeTest {
    private static final long GIB = 1L << 30;

    @ParameterizedTest
    @CsvSource({
        "5368709120, 0, 5368709120",
        "5368709120, 10737418240, 5368709120",
        "0, 0, 1073741824",
        "0, 10737418240, 1073741824",
        "0, 1000, 1000",
        "9223372036854775807, 0, 9223372036854775807",
        "1, 9223372036854775807, 1"
    })
    void the_required_size_is_made_else_the_default_within_the_limit(long required, long limit, long size) {
        assertThat(CapacityRange.of(required, limit).choose()).isEqualTo(Capacity.ofBytes(size));
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "10737418240, 5368709120", "-1, 0", "0, -1", "-9223372036854775808, 0"})
    void a_range_that_holds_nothing_is_refused(long required, long limit) {
        assertThatThrownBy(() -> CapacityRange.of(required, limit))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.CapacityOutOfRange.class));
    }

    @Property
    void what_is_chosen_fits(@ForAll @LongRange(min = 0) long required, @ForAll @LongRange(min = 0) long limit) {
        boolean possible = limit == 0 || required <= limit;

        if (possible) {
            CapacityRange range = CapacityRange.of(required, limit);
            assertThat(range.fits(range.choose())).isTrue();
            assertThat(range.exceededBy(range.choose())).isFalse();
        } else {
            assertThatThrownBy(() -> CapacityRange.of(required, limit)).isInstanceOf(StorageException.class);
        }
    }

    @Property
    void sizes_compare_as_numbers_up_to_the_largest(
            @ForAll @LongRange(min = 0) long one, @ForAll @LongRange(min = 0) long other) {
        assertThat(Capacity.ofBytes(one).isLessThan(Capacity.ofBytes(other))).isEqualTo(one < other);
        assertThat(Capacity.ofBytes(one).compareTo(Capacity.ofBytes(other))).isEqualTo(Long.compare(one, other));
    }

    @Property
    void a_size_fits_exactly_between_required_and_limit(
            @ForAll @LongRange(min = 1, max = GIB) long required,
            @ForAll @LongRange(min = 0, max = GIB) long more,
            @ForAll @LongRange(min = 0, max = 3 * GIB) long size) {
        CapacityRange range = CapacityRange.of(required, required + more);

        assertThat(range.fits(Capacity.ofBytes(size))).isEqualTo(size >= required && size <= required + more);
        assertThat(range.exceededBy(Capacity.ofBytes(size))).isEqualTo(size > required + more);
    }

    @Test
    void gibibytes_never_overflow_silently() {
        assertThat(Capacity.ofGibibytes(3).bytes()).isEqualTo(3 * GIB);
        assertThatThrownBy(() -> Capacity.ofGibibytes(1L << 34)).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> Capacity.ofBytes(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
