package dev.fairlead.linstor.answer;

/**
 * Makes the codes of LINSTOR's answers: the top two bits say how grave an answer is, then follow what was done and to
 * what, and the low 15 bits say what came of it.
 */
public final class ReturnCode {
    public static final long WARNING = 0x8000000000000000L;
    public static final long ERROR = 0xC000000000000000L;
    public static final long INFO = 0x4000000000000000L;

    public static final long CREATE = 0x1000000;
    public static final long MODIFY = 0x2000000;
    public static final long DELETE = 0x3000000;

    public static final long SNAPSHOT = 0xC0000;
    public static final long POOL = 0x140000;
    public static final long VOLUME = 0x2C0000;
    public static final long VOLUME_DEFINITION = 0x300000;
    public static final long RESOURCE = 0x340000;
    public static final long DEFINITION = 0x380000;
    public static final long NODE = 0x3C0000;
    public static final long GROUP = 0x440000;

    public static final long CREATED = 1;
    public static final long DELETED = 2;
    public static final long MODIFIED = 3;
    public static final long AUTHENTICATED = 9;

    public static final long INVALID_NAME = 202;
    public static final long SHRINKS = 206;
    public static final long NO_CLONE = 227;
    public static final long NO_NODE = 300;
    public static final long NO_DEFINITION = 301;
    public static final long NO_RESOURCE = 302;
    public static final long DEFINITION_EXISTS = 501;
    public static final long RESOURCE_EXISTS = 502;
    public static final long VOLUME_DEFINITION_EXISTS = 503;
    public static final long POOL_EXISTS = 505;
    public static final long NODE_EXISTS = 500;
    public static final long HAS_SNAPSHOTS = 514;
    public static final long GROUP_EXISTS = 522;
    public static final long NOT_ENOUGH_NODES = 996;
    public static final long IN_USE = 997;
    public static final long UNKNOWN_ERROR = 998;
    public static final long NOT_CONNECTED = 1002;
    public static final long ALREADY_DEPLOYED = 1006;
    public static final long NOT_EVACUATED = 1020;
    public static final long NOT_FOUND_WARNING = 3000;
    public static final long QUORUM_SET = 10002;
    public static final long TIE_BREAKER_MADE = 10003;
    public static final long TIE_BREAKER_REMOVED = 10004;
    public static final long QUORUM_REMOVED = 10005;
    public static final long TAKEN_OVER = 10006;

    /** The code for a body that is no JSON of the kind that is wanted. */
    public static final long BAD_JSON = 0xCFFFFFFFFFFFFFFDL;

    private ReturnCode() {}
}
