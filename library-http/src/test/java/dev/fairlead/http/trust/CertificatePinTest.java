package dev.fairlead.http.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificatePinTest {
    private static final String DIGITS = "0123456789abcdef".repeat(4);

    @Test
    void fingerprints_are_read_as_tools_print_them() {
        String pairs = DIGITS.toUpperCase(java.util.Locale.ROOT).replaceAll("(..)(?!$)", "$1:");

        assertThat(CertificatePin.parse(DIGITS).sha256()).isEqualTo(DIGITS);
        assertThat(CertificatePin.parse(pairs).sha256()).isEqualTo(DIGITS);
        assertThat(CertificatePin.parse("sha256:" + pairs).sha256()).isEqualTo(DIGITS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "sha256:",
                "0123",
                "sha1:0123456789abcdef0123456789abcdef01234567",
                "::",
                "0:123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
            })
    void what_is_none_is_refused(String text) {
        assertThatThrownBy(() -> CertificatePin.parse(text)).hasMessageContaining("64 hexadecimal digits");
    }
}
