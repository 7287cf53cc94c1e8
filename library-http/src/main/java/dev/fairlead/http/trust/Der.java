package dev.fairlead.http.trust;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.spec.InvalidKeySpecException;

/** Wraps keys of the older forms PKCS#1 and SEC 1 into PKCS#8, the only one that Java reads. */
final class Der {
    private static final int INTEGER = 0x02;
    private static final int OCTETS = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final int PARAMETERS = 0xA0;

    private static final byte[] VERSION = {0x02, 0x01, 0x00};

    /** The algorithm rsaEncryption (1.2.840.113549.1.1.1), without parameters. */
    private static final byte[] RSA = {
        0x30, 0x0D, 0x06, 0x09, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00
    };

    /** The object id ecPublicKey (1.2.840.10045.2.1). */
    private static final byte[] EC = {0x06, 0x07, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x02, 0x01};

    private Der() {}

    static byte[] rsa(byte[] pkcs1) {
        return tagged(SEQUENCE, VERSION, RSA, tagged(OCTETS, pkcs1));
    }

    /** Wraps a SEC 1 key; its curve is taken from the parameters inside it. */
    static byte[] ec(byte[] sec1) throws InvalidKeySpecException {
        byte[] algorithm = tagged(SEQUENCE, EC, curve(sec1));
        return tagged(SEQUENCE, VERSION, algorithm, tagged(OCTETS, sec1));
    }

    private static byte[] curve(byte[] sec1) throws InvalidKeySpecException {
        ByteBuffer key = element(ByteBuffer.wrap(sec1), SEQUENCE);
        element(key, INTEGER);
        element(key, OCTETS);
        ByteBuffer parameters = element(key, PARAMETERS);
        byte[] curve = new byte[parameters.remaining()];
        parameters.get(curve);
        return curve;
    }

    private static ByteBuffer element(ByteBuffer in, int tag) throws InvalidKeySpecException {
        if (in.remaining() < 2 || (in.get() & 0xFF) != tag) {
            throw new InvalidKeySpecException("holds a malformed key");
        }
        int length = in.get() & 0xFF;
        if (length > 0x80) {
            int bytes = length & 0x7F;
            length = 0;
            for (int i = 0; i < bytes && in.hasRemaining() && length < 1 << 20; i++) {
                length = (length << 8) | (in.get() & 0xFF);
            }
        }
        if (length > in.remaining()) {
            throw new InvalidKeySpecException("holds a malformed key");
        }
        ByteBuffer content = in.slice(in.position(), length);
        in.position(in.position() + length);
        return content;
    }

    private static byte[] tagged(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        var out = new ByteArrayOutputStream(length + 4);
        out.write(tag);
        if (length > 0xFF) {
            out.write(0x82);
            out.write(length >> 8);
        } else if (length > 0x7F) {
            out.write(0x81);
        }
        out.write(length & 0xFF);
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
