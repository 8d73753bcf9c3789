/** llama.cpp's own server, built once from the source inside the node-llama-cpp package, to be measured beside ours. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const projectFolder = resolve(import.meta.dirname, "..", "..");
const cacheFolder = join(projectFolder, ".cache");
const sourceFolder = join(cacheFolder, "llama.cpp");
const bundle = join(projectFolder, "node_modules", "node-llama-cpp", "llama", "gitRelease.bundle");
const programFolder = join(sourceFolder, "build", "bin");
const program = join(programFolder, "llama-server");

/** Path of the program. Building takes 7 to 10 minutes on two cores; needs git, cmake and a C++ compiler. */
export function ensureLlamaServer(): string {
  if (existsSync(program)) return program;
  console.error("Building llama-server from the package's own source, once. This takes about ten minutes.");
  mkdirSync(cacheFolder, { recursive: true });
  if (!existsSync(sourceFolder)) run("git", ["clone", "--quiet", bundle, sourceFolder]);
  const plain = ["-DCMAKE_BUILD_TYPE=Release", "-DLLAMA_CURL=OFF", "-DLLAMA_OPENSSL=OFF", "-DLLAMA_BUILD_TESTS=OFF"];
  // Kernels that are loaded at run time, as in the package's own binaries.
  const options = [...plain, "-DGGML_NATIVE=OFF", "-DGGML_BACKEND_DL=ON"];
  run("cmake", ["-S", sourceFolder, "-B", join(sourceFolder, "build"), ...options]);
  run("cmake", ["--build", join(sourceFolder, "build"), "--target", "llama-server", "-j", "2"]);
  takeSameKernels();
  return program;
}

/**
 * Puts the package's own CPU kernels in place of the ones just built: both servers then compute with the very same code,
 * and what is compared is what stands around it. (Other compilers' kernels were seen to be half as fast.)
 */
function takeSameKernels(): void {
  const name = `${process.platform}-${process.arch}`;
  const kernels = join(projectFolder, "node_modules", "@node-llama-cpp", name, "bins", name);
  const isKernel = (file: string) => file.startsWith("libggml-cpu");
  for (const file of readdirSync(programFolder).filter(isKernel)) rmSync(join(programFolder, file));
  for (const file of readdirSync(kernels).filter(isKernel))
    copyFileSync(join(kernels, file), join(programFolder, file));
}

function run(command: string, options: readonly string[]): void {
  execFileSync(command, options, { stdio: ["ignore", 2, 2] });
}
