package dev.fairlead.adapter.freenas.export;

import java.net.InetAddress;
import java.util.Set;

/** Tells whether a box that listens at an address is found by the address that nodes are given. Nothing is resolved. */
public final class ListeningAddress {
    private static final Set<String> ANYWHERE = Set.of("0.0.0.0", "::");

    private ListeningAddress() {}

    /**
     * Says whether who listens at an address is found by a host: it is the same address, in whatever form, or any.
     *
     * @param host a name or address without port and brackets
     */
    public static boolean isFoundBy(String listening, String host) {
        String address = plain(listening);
        return ANYWHERE.contains(address) || address.equals(plain(host));
    }

    /** Returns the host of a text that may have a port; an IPv6 address with one has brackets. */
    public static String host(String text) {
        int bracket = text.lastIndexOf(']');
        if (text.startsWith("[") && bracket > 0) {
            return text.substring(1, bracket);
        }
        int colon = text.indexOf(':');
        return colon >= 0 && colon == text.lastIndexOf(':') ? text.substring(0, colon) : text;
    }

    /** Returns an address in the one form that equal addresses share; a name as it is. */
    private static String plain(String text) {
        try {
            String address = InetAddress.ofLiteral(text).getHostAddress();
            return address.equals("0:0:0:0:0:0:0:0") ? "::" : address;
        } catch (IllegalArgumentException _) {
            return text;
        }
    }
}
