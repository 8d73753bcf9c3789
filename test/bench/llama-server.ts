/** llama.cpp's own server, built once from the source inside the node-llama-cpp package, to be measured beside ours. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

const projectFolder = resolve(import.meta.dirname, "..", "..");
const cacheFolder = join(projectFolder, ".cache");
const sourceFolder = join(cacheFolder, "llama.cpp");
const bundle = join(projectFolder, "node_modules", "node-llama-cpp", "llama", "gitRelease.bundle");
const program = join(sourceFolder, "build", "bin", "llama-server");

/** Path of the program. Building takes 7 to 10 minutes on two cores; needs git, cmake and a C++ compiler. */
export function ensureLlamaServer(): string {
  if (existsSync(program)) return program;
  console.error("Building llama-server from the package's own source, once. This takes about ten minutes.");
  mkdirSync(cacheFolder, { recursive: true });
  if (!existsSync(sourceFolder)) run("git", ["clone", "--quiet", bundle, sourceFolder]);
  const plain = ["-DCMAKE_BUILD_TYPE=Release", "-DLLAMA_CURL=OFF", "-DLLAMA_OPENSSL=OFF", "-DLLAMA_BUILD_TESTS=OFF"];
  // As in the package's own binaries: the CPU's variant is chosen at run time, and none is used that it does not have.
  const options = [...plain, "-DGGML_NATIVE=OFF", "-DGGML_BACKEND_DL=ON", "-DGGML_CPU_ALL_VARIANTS=ON"];
  run("cmake", ["-S", sourceFolder, "-B", join(sourceFolder, "build"), ...options]);
  run("cmake", ["--build", join(sourceFolder, "build"), "--target", "llama-server", "-j", "2"]);
  return program;
}

function run(command: string, options: readonly string[]): void {
  execFileSync(command, options, { stdio: ["ignore", 2, 2] });
}
