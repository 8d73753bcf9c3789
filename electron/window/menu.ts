/** The menu: only what the system's own roles give. The default one would carry links into the web. */
import { Menu, type MenuItemConstructorOptions } from "electron";

export function setMenu(): void {
  const roles: MenuItemConstructorOptions[] = [
    { role: "fileMenu" },
    { role: "editMenu" },
    { role: "viewMenu" },
    { role: "windowMenu" },
  ];
  if (process.platform === "darwin") roles.unshift({ role: "appMenu" });
  Menu.setApplicationMenu(Menu.buildFromTemplate(roles));
}
