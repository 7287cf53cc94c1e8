package dev.fairlead.http.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.Secret;
import java.security.GeneralSecurityException;
import java.security.interfaces.ECPrivateKey;
import java.util.Base64;
import java.util.HexFormat;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PemTest {
    private static final HexFormat HEX = HexFormat.of();

    @Test
    void a_bundle_holds_several_certificates_and_words_between_them() throws GeneralSecurityException {
        var one = new HeldCertificate.Builder().commonName("one").build().certificatePem();
        var two = new HeldCertificate.Builder().commonName("two").build().certificatePem();

        assertThat(Pem.certificates("# roots\n" + one + "\nand\r\n" + two.replace("\n", "\r\n")))
                .extracting(certificate -> certificate.getSubjectX500Principal().getName())
                .containsExactly("CN=one", "CN=two");
    }

    @Test
    void a_key_on_a_curve_may_be_in_its_own_form_behind_its_parameters() throws GeneralSecurityException {
        var key = (ECPrivateKey)
                new HeldCertificate.Builder().ecdsa256().build().keyPair().getPrivate();
        byte[] secret = new byte[32];
        byte[] number = key.getS().toByteArray();
        System.arraycopy(
                number,
                Math.max(0, number.length - 32),
                secret,
                Math.max(0, 32 - number.length),
                Math.min(32, number.length));
        // SEQUENCE { 1, OCTET STRING, [0] { prime256v1 } }
        byte[] sec1 = HEX.parseHex("3031020101" + "0420" + HEX.formatHex(secret) + "a00a06082a8648ce3d030107");
        var text = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
                + block("EC PRIVATE KEY", sec1);

        assertThat(((ECPrivateKey) Pem.key(new Secret(text))).getS()).isEqualTo(key.getS());
    }

    @Test
    void an_edwards_key_is_read_too() throws GeneralSecurityException {
        var pair = java.security.KeyPairGenerator.getInstance("Ed25519").generateKeyPair();

        assertThat(Pem.key(new Secret(block("PRIVATE KEY", pair.getPrivate().getEncoded()))))
                .isEqualTo(pair.getPrivate());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no key",
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\nMP8=\n-----END EC PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\nMIT/////\n-----END EC PRIVATE KEY-----",
                "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
            })
    void what_is_no_key_is_refused(String text) {
        assertThatThrownBy(() -> Pem.key(new Secret(text))).isInstanceOf(GeneralSecurityException.class);
    }

    @Test
    void a_text_without_a_certificate_is_refused() {
        assertThatThrownBy(() -> Pem.certificates("nothing")).hasMessage("holds no certificate");
    }

    private static String block(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + kind
                + "-----\n";
    }
}
