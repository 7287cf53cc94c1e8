package dev.fairlead.adapter.ssh.key;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.EdECKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.KeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import org.apache.sshd.common.config.keys.PrivateKeyEntryDecoder;
import org.apache.sshd.common.config.keys.PublicKeyEntryDecoder;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.security.eddsa.generic.EdDSASupport;
import org.apache.sshd.common.util.security.eddsa.generic.EdDSAUtils;
import org.apache.sshd.common.util.security.eddsa.generic.GenericEd25519PublicKeyDecoder;
import org.apache.sshd.common.util.security.eddsa.generic.GenericOpenSSHEd25519PrivateKeyEntryDecoder;
import org.apache.sshd.common.util.security.eddsa.generic.GenericSignatureEd25519;

/**
 * Implements Ed25519 keys for the SSH library with the JDK's own classes. The library itself would need another library
 * for them: one that is no longer maintained, or one of eight megabytes.
 */
final class JdkEd25519 implements EdDSASupport<EdECPublicKey, EdECPrivateKey> {
    private static final String ALGORITHM = "Ed25519";

    @Override
    public PublicKeyEntryDecoder<EdECPublicKey, EdECPrivateKey> getEDDSAPublicKeyEntryDecoder() {
        return new GenericEd25519PublicKeyDecoder<>(EdECPublicKey.class, EdECPrivateKey.class, this);
    }

    @Override
    public PrivateKeyEntryDecoder<EdECPublicKey, EdECPrivateKey> getOpenSSHEDDSAPrivateKeyEntryDecoder() {
        return new GenericOpenSSHEd25519PrivateKeyEntryDecoder<>(EdECPublicKey.class, EdECPrivateKey.class, this);
    }

    @Override
    public Signature getEDDSASigner() {
        return new GenericSignatureEd25519(ALGORITHM);
    }

    @Override
    public int getEDDSAKeySize(Key key) {
        return key instanceof EdECKey ? KEY_SIZE : -1;
    }

    @Override
    public Class<EdECPublicKey> getEDDSAPublicKeyType() {
        return EdECPublicKey.class;
    }

    @Override
    public Class<EdECPrivateKey> getEDDSAPrivateKeyType() {
        return EdECPrivateKey.class;
    }

    @Override
    public boolean compareEDDSAPPublicKeys(PublicKey one, PublicKey other) {
        return one instanceof EdECPublicKey && one.equals(other);
    }

    @Override
    public boolean compareEDDSAPrivateKeys(PrivateKey one, PrivateKey other) {
        return one instanceof EdECPrivateKey && one.equals(other);
    }

    /**
     * Recovers a public key. The JDK computes one only when it generates a key pair, so a pair is generated with this
     * key's secret as the random bytes.
     */
    @Override
    public EdECPublicKey recoverEDDSAPublicKey(PrivateKey key) throws GeneralSecurityException {
        byte[] seed = EdDSAUtils.getBytes(key);
        KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
        generator.initialize(NamedParameterSpec.ED25519, new Replay(seed));
        return (EdECPublicKey) generator.generateKeyPair().getPublic();
    }

    @Override
    public EdECPublicKey generateEDDSAPublicKey(byte[] seed) throws GeneralSecurityException {
        return (EdECPublicKey) KeyFactory.getInstance(ALGORITHM).generatePublic(EdDSAUtils.createPublicKeySpec(seed));
    }

    @Override
    public EdECPrivateKey generateEDDSAPrivateKey(byte[] seed) throws GeneralSecurityException {
        return (EdECPrivateKey)
                KeyFactory.getInstance(ALGORITHM).generatePrivate(EdDSAUtils.createPrivateKeySpec(seed));
    }

    @Override
    public <B extends Buffer> B putRawEDDSAPublicKey(B buffer, PublicKey key) {
        buffer.putBytes(raw(key));
        return buffer;
    }

    @Override
    public <B extends Buffer> B putEDDSAKeyPair(B buffer, PublicKey publicKey, PrivateKey privateKey) {
        throw new IllegalStateException("keys are not handed to an agent");
    }

    @Override
    public KeySpec createPublicKeySpec(EdECPublicKey key) {
        return new X509EncodedKeySpec(key.getEncoded());
    }

    @Override
    public KeySpec createPrivateKeySpec(EdECPrivateKey key) {
        return new PKCS8EncodedKeySpec(key.getEncoded());
    }

    @Override
    public byte[] getPublicKeyData(EdECPublicKey key) {
        return raw(key);
    }

    @Override
    public byte[] getPrivateKeyData(EdECPrivateKey key) throws IOException {
        try {
            return EdDSAUtils.getBytes(key);
        } catch (InvalidKeyException e) {
            throw new IOException(e);
        }
    }

    @Override
    public String getKeyFactoryAlgorithm() {
        return ALGORITHM;
    }

    private static byte[] raw(PublicKey key) {
        try {
            return EdDSAUtils.getBytes(key);
        } catch (InvalidKeyException e) {
            throw new IllegalArgumentException("key: " + key.getAlgorithm() + " (expected: " + ALGORITHM + ")", e);
        }
    }

    /** Returns known bytes if as many random ones are asked for. */
    private static final class Replay extends SecureRandom {
        private final byte[] bytes;

        Replay(byte[] bytes) {
            this.bytes = bytes.clone();
        }

        @Override
        public void nextBytes(byte[] target) {
            if (target.length != bytes.length) {
                throw new IllegalStateException(
                        target.length + " bytes are asked for (expected: " + bytes.length + ")");
            }
            System.arraycopy(bytes, 0, target, 0, bytes.length);
        }
    }
}
