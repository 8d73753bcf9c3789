import { describe, expect, it } from "vitest";
import { ensurePackages, type Machine } from "../../electron/setup/debian-packages.mjs";

interface PretendedMachine {
  readonly isRoot: boolean;
  readonly programs: readonly string[];
  readonly installed?: readonly string[];
  readonly libraries?: string;
  readonly packagesByNewName?: readonly string[];
  readonly installationWorks?: boolean;
}

function pretend(given: PretendedMachine) {
  const said: string[] = [];
  const shown: string[] = [];
  const answers: Record<string, (args: readonly string[]) => boolean> = {
    which: ([program]) => given.programs.includes(program ?? ""),
    "dpkg-query": (args) => given.installed?.includes(args.at(-1) ?? "") === true,
    "apt-cache": (args) => given.packagesByNewName?.includes(args.at(-1) ?? "") === true,
    ldconfig: () => given.libraries !== undefined,
    sudo: () => given.programs.includes("sudo"),
    "apt-get": () => given.programs.includes("apt-get"),
  };
  const machine: Machine = {
    isRoot: given.isRoot,
    say: (line) => said.push(line),
    runQuietly: (command, args) => {
      const ok = answers[command]?.(args) === true;
      const output = command === "ldconfig" ? (given.libraries ?? "") : "Package: x\nStatus: install ok installed\n";
      return { ok, output: ok ? output : "" };
    },
    runShown: async (command, args) => {
      shown.push([command, ...args].join(" "));
      return given.installationWorks !== false;
    },
  };
  return { machine, said, shown };
}

const WANTED = ["libgtk-3-0", "libnss3", "xvfb"];

describe("system packages", () => {
  it("that are there are not installed again", async () => {
    const { machine, said, shown } = pretend({
      isRoot: true,
      programs: ["apt-get", "Xvfb"],
      installed: ["libgtk-3-0", "libnss3"],
    });
    expect(await ensurePackages(WANTED, "the test", machine)).toBe(true);
    expect([...said, ...shown]).toEqual([]);
  });

  it("that another system packs under other names count as there", async () => {
    const libraries = "libgtk-3.so.0 (libc6) => /lib/libgtk-3.so.0\nlibnss3.so (libc6) => /lib/libnss3.so\n";
    const { machine, said } = pretend({ isRoot: false, programs: ["Xvfb"], libraries });
    expect(await ensurePackages(WANTED, "the test", machine)).toBe(true);
    expect(said).toEqual([]);
  });

  it("that are missing are installed by root, and no others", async () => {
    const { machine, shown } = pretend({ isRoot: true, programs: ["apt-get"], installed: ["libnss3"] });
    expect(await ensurePackages(WANTED, "the test", machine)).toBe(true);
    expect(shown.at(-1)).toMatch(/^env DEBIAN_FRONTEND=noninteractive apt-get install .* libgtk-3-0 xvfb$/);
  });

  it("that are missing are installed with sudo where that asks nothing", async () => {
    const { machine, shown } = pretend({ isRoot: false, programs: ["apt-get", "sudo"] });
    expect(await ensurePackages(WANTED, "the test", machine)).toBe(true);
    expect(shown.at(-1)).toMatch(/^sudo -n env .* apt-get install /);
  });

  it("are asked for by their new name where the system has one", async () => {
    const { machine, shown } = pretend({
      isRoot: true,
      programs: ["apt-get", "Xvfb"],
      packagesByNewName: ["libgtk-3-0t64"],
    });
    await ensurePackages(WANTED, "the test", machine);
    expect(shown.at(-1)).toMatch(/ libgtk-3-0t64 libnss3$/);
  });

  it("are named in one line with the command where they may not be installed", async () => {
    const { machine, said, shown } = pretend({ isRoot: false, programs: ["apt-get"] });
    expect(await ensurePackages(WANTED, "the test", machine)).toBe(false);
    expect(said).toEqual([
      "Missing for the test: libgtk-3-0, libnss3, xvfb. Get them with: sudo apt-get install -y libgtk-3-0 libnss3 xvfb",
    ]);
    expect(shown).toEqual([]);
  });

  it("are named in one line where there is no apt-get", async () => {
    const { machine, said } = pretend({ isRoot: true, programs: [] });
    expect(await ensurePackages(WANTED, "the test", machine)).toBe(false);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("this system's package manager");
  });

  it("that could not be installed are told with what to try", async () => {
    const { machine, said } = pretend({ isRoot: true, programs: ["apt-get"], installationWorks: false });
    expect(await ensurePackages(WANTED, "the test", machine)).toBe(false);
    expect(said.at(-1)).toContain("Try: sudo apt-get update");
  });
});
