package dev.fairlead.adapter.freenas.client;

import java.util.Arrays;

/** Lists the numbers by which a box says why it refuses, those of the system and its own; each has its usual name. */
public enum ApiErrno {
    EPERM(1),
    ENOENT(2),
    EIO(5),
    EAGAIN(11),
    ENOMEM(12),
    EACCES(13),
    /** The box's word for anything that has no number of its own. */
    EFAULT(14),
    EBUSY(16),
    EEXIST(17),
    EXDEV(18),
    EINVAL(22),
    ENOSPC(28),
    EROFS(30),
    ENAMETOOLONG(36),
    ENOTEMPTY(39),
    /** The message is longer than the box takes, and was not sent. */
    EMSGSIZE(90),
    EOPNOTSUPP(95),
    ETIMEDOUT(110),
    EDQUOT(122),
    /** A job was aborted. */
    ECANCELED(125),
    /** The box has no such method. */
    ENOMETHOD(201),
    ESERVICESTARTFAILURE(202),
    EDATASETISLOCKED(205),
    ENOTAUTHENTICATED(207),
    EHAUNAVAILABLE(210),
    /** The number is another one; the box's words tell more. */
    OTHER(0);

    private final int number;

    ApiErrno(int number) {
        this.number = number;
    }

    public static ApiErrno of(long number) {
        return Arrays.stream(values())
                .filter(known -> known.number == number)
                .findFirst()
                .orElse(OTHER);
    }
}
