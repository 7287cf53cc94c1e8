"""Passes connections to an address and port of this machine on to the same port of its loopback: forward.py ADDRESS PORT FILE.
The file gets the number of its process."""

import asyncio
import os
import pathlib
import sys


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def main(address, port):
    async def serve(reader, writer):
        try:
            there, back = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(copy(reader, back), copy(there, writer))

    async with await asyncio.start_server(serve, address, port) as server:
        await server.serve_forever()


pathlib.Path(sys.argv[3]).write_text(f"{os.getpid()}\n", encoding="utf-8")
asyncio.run(main(sys.argv[1], int(sys.argv[2])))
